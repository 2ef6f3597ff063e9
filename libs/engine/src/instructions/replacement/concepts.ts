import { stem } from '../matter.js';

/** Words of one line name the same thing, as far as one instruction can be about another's matter. */
const things = `
mail email e-mail inbox mailing message
letter post envelope
newsletter bulletin mailing digest
chat slack teams discord irc whatsapp telegram signal channel
call phone telephone ring dial voicemail
sms text texting
meeting appointment call standup sync session interview meet
calendar diary schedule agenda slot
reminder remind alarm alert notify notification ping warn warning nudge heads-up
invoice bill billing receipt
expense reimbursement spending
payment pay charge purchase checkout settle
card visa mastercard amex credit debit
refund reimburse money-back voucher credit compensation
budget spend limit cap ceiling
price cost fee rate
discount coupon rebate
order purchase buy basket cart
parcel package shipment ship shipping deliver delivery courier
address destination location
return exchange replacement
ticket issue case bug incident
customer client buyer caller guest user
supplier vendor seller
contract agreement nda terms
lawyer legal counsel
candidate applicant application cv resume
employee staff team colleague coworker
boss manager supervisor lead
assistant secretary
report summary recap digest overview briefing
summary abstract tldr synopsis
document doc documentation docs manual wiki readme
note notes minutes
slide deck presentation powerpoint keynote
table spreadsheet sheet excel
chart plot graph figure diagram visualisation visualization
dashboard board panel
colour color palette hue
font typeface
logo brand
picture image photo screenshot
video clip film movie
music song playlist radio
podcast episode
book novel reading
article paper publication study preprint journal
source citation cite reference bibliography link quote
language english german french spanish italian portuguese dutch japanese chinese
translation translate translator
spelling grammar typo
tone voice style register wording
answer reply respond response
explanation explain rationale reason why
question ask query clarify clarification
example sample snippet
detail detailed depth
sentence paragraph word line
heading headline title subject header
bullet list enumeration
emoji smiley emoticon
greeting salutation hello opening greet
signature sign-off closing sign
name nickname address call
code source codebase
comment docstring annotation comments
function method procedure
variable identifier naming
class type interface
file folder directory path
log logging logs
error exception failure fail crash
test tests testing spec suite
coverage covered
lint linter eslint format formatter prettier black
indent indentation tab space
commit commits
branch branches
merge rebase squash
review reviewer approve approval pr pull request
push force-push
release version tag changelog
deploy deployment rollout ship release
pipeline ci build job workflow
cache caching
database db postgres mysql sqlite schema
migration migrate migrations
backup snapshot dump
query sql select
index indexes
server host machine instance vm
cluster kubernetes node
container docker image compose
secret password credential token key
dependency package library module
timeout deadline due
retry retries attempt
threshold limit cutoff
metric kpi measure
dataset data csv sample
outlier missing null nan
model checkpoint training train experiment
seed random
epoch batch
notebook jupyter script
staging production prod environment
monitor watch observe eye
on-call pager oncall shift
access permission role rights
flight fly plane airline airfare
train rail railway
car rental drive taxi uber cab
hotel room lodging accommodation stay
seat aisle window
luggage bag baggage suitcase
trip travel journey holiday vacation
visa passport
restaurant dinner lunch table eat
food meal dish recipe cook cooking
diet vegetarian vegan meat
allergy allergic intolerance
coffee tea drink
breakfast lunch dinner supper
shopping grocery groceries supermarket
medicine medication pill dose tablet
doctor dentist physio clinic
exercise workout training run gym
sleep bed nap wake
heating heat thermostat temperature radiator warm
light lamp lights lighting
blind blinds curtain shutter
door lock doorbell gate
window windows
vacuum clean cleaning hoover
wash washing laundry dishwasher
garden lawn plant water watering
pet dog cat
child kid kids children son daughter
wife husband partner spouse
parent mother father mum mom dad
birthday party event celebration
gift present
invitation invite rsvp
homework exercise assignment task
lesson class course lecture
student pupil learner
teacher tutor tutoring
exam quiz test
grade mark score
hint solution
campaign ad advert advertising promotion
post tweet social caption
hashtag tag
blog article
follower audience reader
lead prospect pipeline
deal offer quote proposal
tenant renter landlord
rent lease deposit
property flat apartment house
viewing visit
tax vat
account accounting bookkeeping ledger
bank transfer wire iban
currency euro dollar pound
date timestamp time
weekend holiday day-off
break pause lunch
hour hours time
unit metric imperial
percentage percent
decimal round rounding digit
number figure amount
archive store file save keep
delete remove erase purge discard drop
rename move
download upload
print printer
scan scanned
attachment attach file pdf
link url
website site page homepage
form field
feedback criticism critique criticise
joke humor humour funny
praise compliment
apology apologise apologize sorry
complaint complain
survey questionnaire
interview transcript recording
security vulnerability cve
certificate cert tls ssl
domain dns
bucket s3 storage disk
memory ram
cpu load
traffic request requests
api endpoint route
feature flag toggle
frontend ui interface
button label
react component hook
css tailwind styling
translation locale i18n
`;

/**
 * Of the choices on a line, divided by `|`, one excludes the others where two instructions are about the same: what is
 * sent by mail is not sent by Slack. `~` marks plain opposites, words of so many matters that alone they tell little.
 */
const choices = `
english | german | french | spanish | italian | portuguese | dutch | swedish | danish | norwegian | finnish | polish | russian | ukrainian | turkish | arabic | hebrew | hindi | japanese | chinese mandarin | korean | greek | czech | welsh | romanian | hungarian
monday mondays | tuesday tuesdays | wednesday wednesdays | thursday thursdays | friday fridays | saturday saturdays | sunday sundays
january | february | march | april | june | july | august | september | october | november | december
~ daily nightly day | weekly week | fortnightly fortnight | monthly month | quarterly quarter | yearly annual annually | hourly hour
~ morning mornings breakfast | noon lunchtime lunch midday | afternoon afternoons | evening evenings dinner | night nights midnight
~ short brief concise terse shorter briefly compact headline | long detailed thorough full verbose longer length depth
~ formal formally professional | informal casual relaxed friendly chatty casually
~ blunt direct harsh strict | gentle soft kind easy lenient
mail email e-mail inbox | slack | teams | discord | whatsapp | telegram | signal | sms text | phone call telephone | letter post
zoom | teams | meet | webex | skype
npm | pnpm | yarn | bun
vitest | jest | mocha | pytest | unittest | playwright | cypress
postgres postgresql | mysql | sqlite | mongodb mongo | duckdb | redis | mariadb | oracle
aws | azure | gcp google | hetzner | onprem on-prem
python | typescript | javascript | rust | golang | java | kotlin | ruby | php | bash | julia
pandas | polars | spark | dask
matplotlib | plotly | seaborn | altair | bokeh
pytorch | tensorflow | jax | keras
docker | podman
github | gitlab | bitbucket
jira | linear | trello | asana | notion | github
confluence | notion | wiki | sharepoint
excel xlsx spreadsheet | csv | json | yaml | parquet | pdf | word docx | markdown | html | toml | xml | latex | text
svg | png | jpg jpeg | webp
~ table | prose paragraph text | bullet bullets list | numbered
tabs tab | spaces space
~ single | double
camelcase | snake_case snake | kebab-case kebab | pascalcase
~ light | dark
merge | rebase | squash
staging | production prod | dev development
~ public | private internal confidential
metric celsius kilometre kilometer km | imperial fahrenheit mile miles
euro euros eur | dollar dollars usd | pound pounds gbp | franc francs chf | yen
aisle | window | middle
train rail | plane fly flight | car drive | bus coach | bike bicycle | taxi cab uber
economy | business | first
hotel | apartment flat airbnb | hostel
carry-on cabin | checked hold
visa | mastercard | amex | paypal | cash | transfer wire | invoice | voucher credit
refund money cash | voucher credit gift | replacement exchange
courier express | post standard | pickup collect
~ home house | office work | station | shop store
vegetarian vegan | meat beef chicken pork fish
coffee | tea
ascending oldest | descending newest
~ first top begin beginning start | last bottom end
~ before | after
~ early | late
~ more raise higher increase up louder warmer | less lower fewer decrease down quieter cooler
~ open on up | close closed shut off down
~ keep leave preserve retain | delete remove drop discard purge erase bin throw
~ include add with | exclude omit skip without
~ ask check confirm confirmation approval permission consult sign-off | unasked freely yourself alone directly straight automatically
~ accept allow permit welcome okay | reject refuse decline forbid ban
~ stop pause halt | continue carry proceed
~ manual manually hand | automatic automatically auto
british uk | american us
first-name | surname last-name
utc gmt | local cet est pst
24-hour 24h | 12-hour am pm
blue | green | red | yellow | orange | purple | grey gray greyscale grayscale | black | white
~ small | medium | large
~ loud | quiet silent mute
mean average | median
~ minutes minute | seconds second | hours hour
opt-in | opt-out
sync synchronous | async asynchronous
~ strict | loose
verbose debug | info | warn | error
~ left | right
~ everyone everybody all whole | only just alone
~ nobody none nothing | everyone everybody anyone
`;

const words = (line: string): string[] => line.split(/\s+/).filter((word) => word !== '');
const lines = (table: string): string[] => table.trim().split('\n');

/** What each stem names, by numbers of lines. */
const thingsOf = new Map<string, number[]>();
lines(things).forEach((line, i) => {
  for (const word of words(line)) add(thingsOf, stem(word), i);
});

/** The lines marked with `~`. */
const opposites = new Set<number>();
export const isOpposite = (of: number): boolean => opposites.has(of);

const choicesOf = new Map<string, { of: number; choice: number }[]>();
lines(choices).forEach((line, of) => {
  if (line.startsWith('~')) opposites.add(of);
  line
    .replace('~', '')
    .split('|')
    .forEach((side, choice) => {
      for (const word of words(side)) add(choicesOf, stem(word), { of, choice });
    });
});

function add<T>(to: Map<string, T[]>, key: string, value: T): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, [value]);
  else known.push(value);
}

/** The things that stems name. */
export const thingsIn = (stems: Iterable<string>): Set<number> =>
  new Set([...stems].flatMap((one) => thingsOf.get(one) ?? []));

/** The choices that stems make, by what they choose of. */
export function choicesIn(stems: Iterable<string>): Map<number, Set<number>> {
  const made = new Map<number, Set<number>>();
  for (const one of stems)
    for (const { of, choice } of choicesOf.get(one) ?? [])
      made.set(of, (made.get(of) ?? new Set()).add(choice));
  return made;
}

/** Do two stems name one thing? */
export const areNear = (a: string, b: string): boolean => {
  const of = thingsOf.get(b);
  return of !== undefined && (thingsOf.get(a)?.some((thing) => of.includes(thing)) ?? false);
};
