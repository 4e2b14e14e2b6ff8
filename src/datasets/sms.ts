import { Random } from '../math/random.ts';
import { type Dataset, datasetOf } from './dataset.ts';
import { grammarOf, sentenceOf } from './grammar.ts';

const grammar = grammarOf({
  ham: '{hello} {meet} | {hello} {late} | {hello} {errand} | {hello} {news} {ask} | {late} {meet} | {thanks}. {ask} | {news} {tease} | {errand} {ask} | {meet} {tease} | {hello} {thanks} {errand} | {doubt} {ask} | {hello} {doubt}',
  doubt:
    'is this real? it says i won a {gift} | my account is locked again, can you log in for me {day} | what is the code for the door at {place}? | there is a free concert {day}, first come first served | the voucher from {name} expires {day}, lets use it | call the bank before {time} about the {sum}',
  hello:
    'hey {name}, | hi, | morning {name}! | {name}! | ok so | sorry {name}, only saw this now. | just got to {place}. | quick one: | hi from {place}, | yes {name},',
  name: 'Ana | Tom | Priya | mum | Jonas | Wei | Lena | dad | Sam | Noor',
  day: 'today | tonight | tomorrow | on Friday | on Sunday | after work | next week | at lunch',
  time: '7 | half past six | 8ish | noon | 5.30 | ten | whenever you like',
  place: 'the station | the library | my place | the corner cafe | the gym | the office | grandma | the park',
  food: 'bread | milk | a cake | some rice | coffee | two lemons | cat food | something for dinner',
  meet: 'are you free {day}? | shall we meet at {place} {day}? | see you {day} at {time} | i am at {place} already, call me when you are here | want to come with us {day}, {name} has a ticket left',
  late: 'running late, be there at {time} | the bus is late again, start without me | stuck at {place}, will text you when i leave | can we make it {time} instead?',
  errand:
    'can you get {food} on the way? | please call {name} {day} | did you pick up the parcel from {place}? | i left my keys at {place} | we need {food} and {food}, i pay you back',
  thanks:
    'thanks for {day}, it was lovely | thank you so much, the {food} was great | you won the bet, i owe you {food} | congrats on the new job!! | no worries at all',
  ask: 'how did it go? | what time does it start? | do you know if {name} is coming? | is the number of the doctor still the same? | can i have my book back {day}? | did you get my last message?',
  news: 'we won the match 3 to 1! | the landlord called, the heating works again | {name} got the prize for best poster, so proud | my phone is nearly dead so text me now | exam went ok i think | the offer for the flat was accepted',
  tease:
    'haha no chance | you always say that | lol ok whatever | ha, tell that to {name} | sleep well, and stop reading this',
  spam: '{prize} {claim} | {loan} {claim} | {tones} {stop} | {account} {link} | {date} {claim} | {deal} {link} | {prize} {link} {stop} | {personal}',
  prize:
    'WINNER! your number was drawn for a {sum} prize. | You have been selected to receive a free {gift}. | Congratulations, you won our weekly {sum} cash draw! | FINAL notice: your {gift} is waiting.',
  sum: '£500 | £1000 | £2000 | €250 | $900',
  gift: 'holiday voucher | camera phone | shopping voucher | weekend for two | tablet',
  claim:
    'To claim call {phone} now. | Call {phone} from a landline, code {code}. | Reply YES to {short} today. | Claim within 12 hours: {phone}.',
  phone: '0900 555 0142 | 0900 555 0199 | 0871 555 0163 | 0906 555 0117',
  short: '55155 | 80880 | 61616',
  code: 'K52 | T91 | B07',
  loan: 'Debts? Get {sum} in your account tonight, no checks. | Cheap loans from {sum}, apply free. | You may be owed {sum} for your accident.',
  tones:
    'Get 10 free ringtones and a game every week, text TONE to {short}. | Your first top 20 song is free, reply SONG to {short}.',
  stop: 'Only £1.50 a week. Text STOP to end. | 18+ only, std rates apply. | T&Cs apply, to stop reply STOP.',
  account:
    'Your account has been limited. | URGENT: we could not deliver your parcel. | Your phone plan expires today.',
  link: 'Confirm at www.example-{word}.com now | Log in: www.{word}-example.net | Details free at www.example-{word}.org',
  word: 'secure | prizes | bonus | parcel',
  date: 'Someone near you wants to meet tonight. | 3 singles in your area have sent you a message.',
  deal: 'Half price this week only on all phones. | Unlimited texts from £5, offer ends tonight. | New line rental deal, first month free.',
  personal:
    'hi its me, lost my phone, call me on {phone} | hey {name}, are you free {day}? call {phone} x | i saw your picture at {place}, text me at {short} | hi {name}, can you send {sum} {day}? i pay you back | {name}, your parcel is at {place}, see {link}',
});

const HAM = 435;
const SPAM = 65;

/** Five hundred short messages that nobody sent: made from sentences of our own, 65 of them spam. */
export function loadSms(): Dataset {
  const card = {
    name: 'sms',
    title: 'Short messages, ham or spam',
    columns: ['label', 'text'],
    target: 'label',
    text: 'text',
    description:
      '500 messages, 65 of them spam. They are made from a small grammar with a fixed seed, and easier than real ones.',
    source: 'generated by Pólya',
    license: 'CC0, made for this project',
  };
  const random = new Random(7);
  const labels = [...Array<string>(HAM).fill('ham'), ...Array<string>(SPAM).fill('spam')];
  return datasetOf(
    card,
    random.shuffle(labels).map((label) => [label, sentenceOf(grammar, label, random)]),
  );
}
