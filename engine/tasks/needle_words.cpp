// Keys of needles: given names, and three words for key-value lines.
#include <array>

#include "engine/tasks/needle_text.h"

namespace orthros {
namespace {

constexpr std::array<std::string_view, 24> kHues{"amber",  "ashen",   "azure",  "bronze", "cobalt", "copper",
                                                 "coral",  "crimson", "golden", "green",  "indigo", "ivory",
                                                 "jade",   "lilac",   "maroon", "ochre",  "olive",  "pearl",
                                                 "purple", "russet",  "silver", "teal",   "violet", "white"};
constexpr std::array<std::string_view, 40> kKinds{
    "ancient", "arctic",   "broad",   "brittle", "coastal",  "curved",  "distant", "double",
    "eastern", "empty",    "folded",  "gentle",  "hidden",   "hollow",  "inland",  "jagged",
    "little",  "lonely",   "marbled", "narrow",  "northern", "oblique", "painted", "patient",
    "pointed", "quiet",    "ragged",  "rounded", "rustic",   "sacred",  "shallow", "simple",
    "slender", "southern", "spotted", "sturdy",  "tidal",    "upper",   "western", "woven"};
constexpr std::array<std::string_view, 60> kThings{
    "anchor",  "anvil",   "arch",   "badger", "barrel", "basin",  "beacon", "bellows",  "bridge",
    "buckle",  "candle",  "canyon", "castle", "cedar",  "cellar", "chapel", "cherry",   "compass",
    "cradle",  "dagger",  "falcon", "fern",   "ferry",  "fiddle", "forge",  "fountain", "gable",
    "glacier", "goblet",  "hammer", "harp",   "hazel",  "heron",  "island", "kettle",   "ladder",
    "lantern", "lever",   "locket", "loom",   "maple",  "meadow", "mirror", "needle",   "orchard",
    "otter",   "pebble",  "pillar", "plough", "quarry", "raven",  "saddle", "sparrow",  "spindle",
    "temple",  "thimble", "tunnel", "turret", "walnut", "willow"};

}  // namespace

std::string line_key(uint64_t index) {
  std::string key(kHues[index % kHues.size()]);
  index /= kHues.size();
  key.append(" ").append(kKinds[index % kKinds.size()]);
  return key.append(" ").append(kThings[index / kKinds.size() % kThings.size()]);
}

uint64_t num_line_keys() {
  return kHues.size() * kKinds.size() * kThings.size();
}

std::array<std::span<const std::string_view>, 3> line_key_words() {
  return {kHues, kKinds, kThings};
}

const std::vector<std::string_view>& needle_names(NeedleNames names) {
  static const std::vector<std::string_view> held_out{
      "Alfred",  "Bettina", "Cedric",  "Dagmar",  "Edwin", "Flora",  "Gilbert", "Hubert",
      "Imogen",  "Jerome",  "Kerstin", "Lionel",  "Mabel", "Nadine", "Osbert",  "Philippa",
      "Quentin", "Rowena",  "Sabine",  "Tristan", "Una",   "Vivian", "Winston", "Ximena"};
  static const std::vector<std::string_view> common{
      "Aaron",     "Abigail",   "Adam",      "Adrian",    "Agnes",    "Ahmed",     "Aisha",     "Albert",
      "Alexander", "Alice",     "Alina",     "Amanda",    "Amelia",   "Amir",      "Anders",    "Andrea",
      "Andrew",    "Angela",    "Anita",     "Anna",      "Anthony",  "Anton",     "Arthur",    "Astrid",
      "Audrey",    "Barbara",   "Beatrice",  "Benjamin",  "Bernard",  "Bianca",    "Boris",     "Brenda",
      "Brian",     "Bruno",     "Camilla",   "Carla",     "Carlos",   "Carmen",    "Caroline",  "Catherine",
      "Cecilia",   "Charles",   "Charlotte", "Christian", "Claire",   "Clara",     "Claudia",   "Conrad",
      "Daniel",    "Daphne",    "David",     "Deborah",   "Dennis",   "Derek",     "Diana",     "Diego",
      "Dmitri",    "Donald",    "Dora",      "Dorothy",   "Douglas",  "Edgar",     "Edith",     "Edward",
      "Eleanor",   "Elena",     "Elias",     "Elizabeth", "Ella",     "Ellen",     "Elsa",      "Emil",
      "Emily",     "Emma",      "Enrique",   "Eric",      "Erika",    "Ernest",    "Esther",    "Eugene",
      "Eva",       "Fatima",    "Felix",     "Fernando",  "Fiona",    "Florian",   "Frances",   "Francis",
      "Franz",     "Frederick", "Gabriel",   "Gemma",     "Geoffrey", "George",    "Gerald",    "Gloria",
      "Gordon",    "Greta",     "Gregory",   "Gustav",    "Hannah",   "Harold",    "Harriet",   "Harry",
      "Hassan",    "Heather",   "Hector",    "Helen",     "Helga",    "Henry",     "Herbert",   "Hilda",
      "Howard",    "Hugo",      "Ibrahim",   "Igor",      "Ines",     "Ingrid",    "Irene",     "Isaac",
      "Isabel",    "Ivan",      "Jacob",     "James",     "Janet",    "Jasmine",   "Jasper",    "Jeffrey",
      "Jennifer",  "Jeremy",    "Jessica",   "Joachim",   "Joanna",   "Johanna",   "John",      "Jonas",
      "Jonathan",  "Joseph",    "Joshua",    "Judith",    "Julia",    "Julian",    "Justin",    "Karen",
      "Karim",     "Karl",      "Katarina",  "Kenneth",   "Kevin",    "Kirsten",   "Klaus",     "Larissa",
      "Laura",     "Lawrence",  "Leila",     "Leonard",   "Leon",     "Lidia",     "Linda",     "Lorenzo",
      "Louis",     "Louise",    "Lucas",     "Lucia",     "Lucy",     "Ludwig",    "Luisa",     "Luke",
      "Magnus",    "Malcolm",   "Manuel",    "Marcel",    "Marcus",   "Margaret",  "Maria",     "Marian",
      "Mario",     "Marta",     "Martin",    "Mary",      "Matilda",  "Matthew",   "Maurice",   "Maxim",
      "Melissa",   "Michael",   "Miguel",    "Milena",    "Miriam",   "Mohammed",  "Monica",    "Morgan",
      "Nadia",     "Natalia",   "Nathan",    "Nicholas",  "Nicole",   "Nigel",     "Nina",      "Noah",
      "Nora",      "Norman",    "Olga",      "Oliver",    "Oscar",    "Otto",      "Pablo",     "Pamela",
      "Patricia",  "Patrick",   "Paul",      "Paula",     "Pedro",    "Peter",     "Philip",    "Pierre",
      "Rachel",    "Ralph",     "Ramona",    "Raphael",   "Rebecca",  "Renata",    "Ricardo",   "Richard",
      "Robert",    "Roberta",   "Roger",     "Roland",    "Roman",    "Ronald",    "Rosalind",  "Rudolf",
      "Rupert",    "Russell",   "Samuel",    "Sandra",    "Sarah",    "Sebastian", "Sergei",    "Sharon",
      "Sheila",    "Sigrid",    "Silvia",    "Simon",     "Sofia",    "Solomon",   "Sonia",     "Stanley",
      "Stefan",    "Stella",    "Stephanie", "Steven",    "Susan",    "Sven",      "Sylvester", "Tamara",
      "Tanya",     "Teresa",    "Theodore",  "Theresa",   "Thomas",   "Timothy",   "Tobias",    "Ulrich",
      "Ursula",    "Valentina", "Vanessa",   "Vera",      "Veronica", "Victor",    "Victoria",  "Vincent",
      "Viola",     "Virginia",  "Vladimir",  "Walter",    "Wanda",    "Wendy",     "Werner",    "Wilhelm",
      "William",   "Xavier",    "Yasmin",    "Yolanda",   "Yusuf",    "Yvonne",    "Zachary",   "Zelda"};
  return names == NeedleNames::common ? common : held_out;
}

}  // namespace orthros
