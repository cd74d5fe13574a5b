// Topics of the filler prose: who did what to which things, where. No digits, no given names.
#include <array>

#include "engine/tasks/filler_grammar.h"

namespace orthros::filler {
namespace {

using Text = std::string_view;

namespace garden {
constexpr Text people[] = {"the head gardener",
                           "the new apprentice",
                           "the owner of the nursery",
                           "a retired botanist",
                           "the woman from the allotments",
                           "one of the volunteers",
                           "the groundsman",
                           "the seed merchant",
                           "his younger sister",
                           "a visitor from the next valley"};
constexpr Text verbs[] = {"watered", "moved",     "inspected", "described", "admired",   "sketched",
                          "covered", "replanted", "labelled",  "trimmed",   "sheltered", "measured"};
constexpr Text objects[] = {"the old pear trees",          "a row of young cabbages",
                            "the climbing roses",          "several trays of moss",
                            "the ferns beside the wall",   "a bed of pale tulips",
                            "the lavender hedge",          "the vines under glass",
                            "some rather tired herbs",     "the last of the strawberries",
                            "an unfamiliar orchid",        "the lime saplings",
                            "a bundle of willow cuttings", "the marrows that nobody had wanted"};
constexpr Text places[] = {"behind the greenhouse",    "along the southern wall",
                           "near the compost heap",    "at the far end of the orchard",
                           "beside the pond",          "under the tall hedge",
                           "next to the potting shed", "between the two paths"};
constexpr Text remarks[] = {"the soil was still heavy with rain", "the frost had come early",
                            "the bees kept to the shade",         "the water butt was nearly empty",
                            "the gate had been left open",        "the leaves were turning yellow",
                            "there was hardly any wind",          "the slugs had already found the lettuce"};
}  // namespace garden

namespace harbour {
constexpr Text people[] = {"the harbour master",
                           "an elderly fisherman",
                           "the pilot",
                           "the crew of the ferry",
                           "the clerk from the customs house",
                           "a dealer in rope",
                           "the lighthouse keeper",
                           "the youngest of the deckhands",
                           "the owner of the shipyard",
                           "a painter of small boats"};
constexpr Text verbs[] = {"unloaded", "repaired", "watched",  "fastened", "inspected", "mentioned",
                          "cleaned",  "lowered",  "examined", "weighed",  "hauled in", "painted"};
constexpr Text objects[] = {"the herring nets",         "a leaking dinghy",      "the iron mooring rings",
                            "several barrels of tar",   "the forward mast",      "a crate of lemons",
                            "the ropes of the ferry",   "the green marker buoy", "an anchor of unusual shape",
                            "the lamps along the pier", "the salted cod",        "two coils of wire",
                            "the sails of a schooner",  "the wheelhouse door"};
constexpr Text places[] = {"at the end of the pier", "below the sea wall", "in the outer basin",
                           "beside the fish market", "on the slipway",     "under the crane",
                           "near the customs house", "across the estuary"};
constexpr Text remarks[] = {"the tide was running out",    "a thick mist lay over the bay",
                            "the gulls would not settle",  "the barometer had been falling",
                            "the ferry was late again",    "the current ran stronger than usual",
                            "the channel needed dredging", "nobody had lit the lamp"};
}  // namespace harbour

namespace library {
constexpr Text people[] = {"the librarian",       "a student of law",          "the night porter",
                           "the binder",          "a translator of old hymns", "the keeper of manuscripts",
                           "one of the trustees", "the assistant at the desk", "a schoolteacher on leave",
                           "the archivist"};
constexpr Text verbs[] = {"catalogued", "borrowed", "restored", "returned", "consulted", "misplaced",
                          "copied",     "dusted",   "praised",  "opened",   "requested", "compared"};
constexpr Text objects[] = {"a treatise on drainage",
                            "the parish registers",
                            "an atlas with torn maps",
                            "the letters of a minor poet",
                            "the dictionary of dialects",
                            "a history of the canals",
                            "the bound newspapers",
                            "several volumes of sermons",
                            "the household accounts",
                            "a guide to alpine flowers",
                            "the oldest of the ledgers",
                            "an unsigned diary",
                            "the plans of the former theatre",
                            "a manual of bookkeeping"};
constexpr Text places[] = {"in the reading room",   "on the upper gallery",    "beneath the staircase",
                           "at the long oak table", "in the basement store",   "behind the issue desk",
                           "by the tall windows",   "among the unsorted boxes"};
constexpr Text remarks[] = {"the heating had failed",        "the shelves were far too high",
                            "the index was out of date",     "the ink had faded to brown",
                            "the room smelled of glue",      "the clock above the door had stopped",
                            "most of the chairs were taken", "the light was poor at that hour"};
}  // namespace library

namespace railway {
constexpr Text people[] = {"the station master",     "a guard on the branch line",
                           "the signalman",          "the traveller in the grey coat",
                           "the engine driver",      "an inspector from the company",
                           "the woman who sold tea", "a pair of surveyors",
                           "the apprentice fitter",  "the porter"};
constexpr Text verbs[] = {"checked",   "delayed",  "shunted", "reported", "noticed", "loaded",
                          "inspected", "followed", "halted",  "polished", "counted", "sealed"};
constexpr Text objects[] = {
    "the mail carriages",         "a wagon of gravel",       "the signal levers",
    "the evening express",        "the worn sleepers",       "a trunk without a label",
    "the brass fittings",         "the timetable boards",    "several empty coaches",
    "the points at the junction", "the goods from the mill", "a damaged coupling",
    "the lost umbrellas",         "the coal tender"};
constexpr Text places[] = {"at the junction",
                           "on the northern platform",
                           "beyond the viaduct",
                           "in the sidings",
                           "outside the signal box",
                           "beside the water tower",
                           "at the mouth of the tunnel",
                           "near the goods yard"};
constexpr Text remarks[] = {"the line was blocked by snow",        "the connection had been missed",
                            "the rails were slippery with leaves", "the telegraph was out of order",
                            "the waiting room was crowded",        "the timetable had changed in spring",
                            "steam hung under the roof",           "the bridge was being repainted"};
}  // namespace railway

namespace kitchen {
constexpr Text people[] = {"the cook",
                           "the baker from the corner",
                           "her aunt",
                           "the kitchen boy",
                           "the landlady",
                           "a guest with a poor appetite",
                           "the grocer",
                           "the man who delivered the milk",
                           "the eldest of the cousins",
                           "the new housekeeper"};
constexpr Text verbs[] = {"peeled", "tasted",    "stirred", "weighed", "salted",     "served",
                          "warmed", "set aside", "wrapped", "praised", "carried in", "reheated"};
constexpr Text objects[] = {
    "the onion soup",          "a basket of plums",         "the rye dough",    "the remains of the roast",
    "several jars of pickles", "a dish of stewed apples",   "the barley broth", "the smoked trout",
    "an enormous pumpkin",     "the butter and the cheese", "the almond cakes", "a pan of lentils",
    "the cold potatoes",       "a loaf that had not risen"};
constexpr Text places[] = {"on the back stove",  "at the kitchen table",   "in the pantry",
                           "by the open window", "next to the bread oven", "in the scullery",
                           "beside the dresser", "under a clean cloth"};
constexpr Text remarks[] = {"the oven was slow to warm",     "the guests had not arrived",
                            "the flour was nearly finished", "the kettle had boiled dry",
                            "the recipe left much unsaid",   "the market had closed early",
                            "the cat sat on the warm tiles", "the knives needed sharpening"};
}  // namespace kitchen

namespace council {
constexpr Text people[] = {"the chairwoman",
                           "the town clerk",
                           "the treasurer",
                           "a delegate from the suburbs",
                           "the member for the old quarter",
                           "the surveyor of roads",
                           "a reporter from the local paper",
                           "the youngest councillor",
                           "the secretary",
                           "a spokesman for the tenants"};
constexpr Text verbs[] = {"discussed", "postponed", "approved",   "questioned", "summarised", "drafted",
                          "defended",  "amended",   "circulated", "rejected",   "explained",  "welcomed"};
constexpr Text objects[] = {"the plan for the new bridge",      "a petition about street lamps",
                            "the budget of the swimming baths", "the minutes of the previous meeting",
                            "the rules for market stalls",      "a proposal to widen the road",
                            "the report on the drains",         "the contract with the bus company",
                            "an offer for the old barracks",    "the complaints about noise",
                            "the design of the fountain",       "a list of vacant plots",
                            "the repair of the town hall roof", "a motion on parking"};
constexpr Text places[] = {"in the small chamber",       "before the full council",
                           "after the public hearing",   "behind closed doors",
                           "during the morning session", "in a letter to the ministry",
                           "at the annual assembly",     "in the corridor outside"};
constexpr Text remarks[] = {"the vote was closer than expected",   "the funds had not been released",
                            "few people had read the papers",      "the discussion went round in circles",
                            "the deadline had passed quietly",     "the quorum was barely reached",
                            "the lawyers had asked for more time", "the agenda was far too long"};
}  // namespace council

namespace workshop {
constexpr Text people[] = {"the joiner",
                           "the master glazier",
                           "a maker of violins",
                           "the blacksmith",
                           "the foreman",
                           "an apprentice in her first year",
                           "the clock repairer",
                           "the potter across the yard",
                           "a customer with little patience",
                           "the upholsterer"};
constexpr Text verbs[] = {"sanded",    "varnished", "measured", "mended",  "glued",      "sharpened",
                          "assembled", "examined",  "finished", "ordered", "dismantled", "oiled"};
constexpr Text objects[] = {"the legs of a walnut table",
                            "a cracked window frame",
                            "the hinges of the shutters",
                            "a set of chisels",
                            "the case of a tall clock",
                            "several sheets of copper",
                            "the handle of the press",
                            "the curved back of a chair",
                            "an oak panel",
                            "the bellows",
                            "a drawer that always stuck",
                            "the smaller lathe",
                            "the fittings for a cabinet",
                            "a pair of carved brackets"};
constexpr Text places[] = {"on the main bench",      "near the stove",         "under the skylight",
                           "in the drying room",     "against the brick wall", "in the yard",
                           "beside the timber rack", "at the back of the shop"};
constexpr Text remarks[] = {"the varnish had not dried",
                            "the belt kept slipping",
                            "good timber was hard to find",
                            "sawdust covered everything",
                            "the order had been changed again",
                            "the glue took longer in the cold",
                            "the lamp flickered from time to time",
                            "the drawing lacked a scale"};
}  // namespace workshop

namespace weather {
constexpr Text people[] = {"the observer at the hill station",
                           "a shepherd",
                           "the keeper of the rain gauge",
                           "the team from the institute",
                           "a farmer on the plain",
                           "the mountain guide",
                           "the editor of the almanac",
                           "an old instrument maker",
                           "the assistant on duty",
                           "a walker from the coast"};
constexpr Text verbs[] = {"recorded", "predicted", "observed",     "noted down", "studied", "reported",
                          "missed",   "described", "photographed", "compared",   "awaited", "plotted"};
constexpr Text objects[] = {"the low clouds",
                            "a sudden drop in pressure",
                            "the first hard frost",
                            "the drifting fog",
                            "a band of steady rain",
                            "the warm wind from the south",
                            "the snow on the upper slopes",
                            "a halo around the moon",
                            "the dew of the early hours",
                            "the thunder beyond the ridge",
                            "an unusually dry fortnight",
                            "the level of the stream",
                            "the long summer haze",
                            "a short spell of sunshine"};
constexpr Text places[] = {"above the valley",        "from the observation hut", "on the eastern slope",
                           "over the marshes",        "along the ridge",          "beyond the reservoir",
                           "at the foot of the pass", "near the old windmill"};
constexpr Text remarks[] = {"the forecast had promised sun",    "the instruments were wet",
                            "the wind had turned in the night", "visibility was poor",
                            "the readings did not agree",       "the stream had burst its banks",
                            "the air was remarkably still",     "the season was later than usual"};
}  // namespace weather

constexpr std::array kTopics{
    Topic{garden::people, garden::verbs, garden::objects, garden::places, garden::remarks},
    Topic{harbour::people, harbour::verbs, harbour::objects, harbour::places, harbour::remarks},
    Topic{library::people, library::verbs, library::objects, library::places, library::remarks},
    Topic{railway::people, railway::verbs, railway::objects, railway::places, railway::remarks},
    Topic{kitchen::people, kitchen::verbs, kitchen::objects, kitchen::places, kitchen::remarks},
    Topic{council::people, council::verbs, council::objects, council::places, council::remarks},
    Topic{workshop::people, workshop::verbs, workshop::objects, workshop::places, workshop::remarks},
    Topic{weather::people, weather::verbs, weather::objects, weather::places, weather::remarks}};

}  // namespace

std::span<const Topic> topics() {
  return kTopics;
}

}  // namespace orthros::filler
