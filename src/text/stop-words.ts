import { refuse, show } from '../errors.ts';
import { englishStopWords } from './english.ts';

/** Short lists of function words, in lower case, with accents. */
const lists = {
  arabic: `في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم هن أنا نحن أنت أن إن كان كانت يكون لا ما لم لن قد كل
    بعد قبل بين حتى ثم أو بل لكن إذا حيث كما عند غير أي منذ لدى عليه عليها فيه فيها له لها به بها و ف ب ل`,
  chinese: `的 了 在 是 我 有 和 就 不 人 都 一 一个 上 也 很 到 说 要 去 你 会 着 没有 看 自己 这 那 他 她 它 我们 你们 他们
    之 与 及 或 而 但 但是 因为 所以 如果 虽然 把 被 让 给 对 从 向 为 以 于 等 吗 吧 呢 啊 呀 哦 这个 那个 什么 怎么 还 又 再 才 只`,
  czech: `a aby ale ani ano asi až bez bude budou by byl byla byli bylo být co což do ho i já jak jako je jeho jej její jen ještě
    jí jim již jsem jsi jsme jsou jste k kam kde kdo kdyby když ke která které který mezi mi mu my na nad nebo než ni nic o od on
    ona oni pak po pod podle pro proč před přes při s se si ta tak také tam te tedy ten tento to toho tohle tu ty u už v
    ve však vy z za ze že`,
  danish: `af alle alt at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter eller en end er et
    for fra ham han hans har havde have hende hendes her hos hun hvad hvis hvor i ikke ind jeg jer jo kunne man mange med meget men
    mig min mine mit mod ned noget nogle nu når og også om op os over på selv sig sin sine sit skal skulle som sådan thi til ud
    under var vi vil ville vor være været`,
  dutch: `aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen had heb
    hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men met mij mijn moet na naar niet
    niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw van veel voor want waren was wat werd
    wezen wie wil worden wordt zal ze zelf zich zij zijn zo zonder zou`,
  finnish: `ei eivät emme en et ette että hän he hänen heidän ja jo joka jonka jos jossa jotka kanssa kuin kun ku me meidän
    minä minun mitä mikä missä mukaan mutta myös ne niiden niin nyt ole olen olet olemme olette oli olivat olla olisi on ovat
    sekä se sen siellä sille siinä sinä sitä tai tämä tämän te tuo vaan vai vain vielä yli`,
  french: `à ai ainsi alors au aucun aussi autre aux avec avoir ayant c ce ceci cela ces cet cette chez comme d dans de des donc dont
    du elle elles en encore est et étaient était été être eu eux fait il ils j je l la le les leur leurs lui m ma mais me même
    mes mon n ne ni nos notre nous on ont ou où par pas peu plus pour qu quand que quel quelle quelles quels qui s sa sans se ses
    si son sont sur t ta te tes toi ton tous tout toute très tu un une vos votre vous y`,
  german: `aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei bin bis bist da damit dann das dass
    dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen
    einer eines er es etwas euch euer für gegen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem
    ihren ihrer im in ist ja jede jedem jeden jeder jedes jetzt kann kein keine können machen man mein meine mich mir mit nach
    nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner sich sie sind so solche soll sondern sonst über um
    und uns unser unter viel vom von vor war waren warst was weg weil weiter welche wenn wer werde werden wie wieder will wir wird
    wo wollen würde würden zu zum zur zwar zwischen`,
  greek: `ο η το οι τα του της των τον την και κι με σε από για να δεν δε μη μην θα είναι ήταν έχει έχουν είχε αυτό αυτός αυτή αυτά
    που πως ότι αν όταν όπως αλλά ή στο στη στην στον στους στις στα μου σου μας σας τους τις ένα ένας μια μία πολύ πιο κάθε όλα
    ως προς μετά κατά παρά εγώ εσύ εμείς`,
  hindi: `का के की को में से है हैं था थी थे और या पर भी यह ये वह वे इस उस इन उन ने तो ही कि जो एक हो होता होती होते कर करना करने
    किया गया गई गए लिए साथ अपने अपना अपनी तक बाद कुछ कोई क्या नहीं न मैं हम तुम आप मेरा हमारा जब तब अब यहाँ वहाँ सब द्वारा`,
  hungarian: `a ahogy ahol aki amely amelyek ami amit az azért azok azt azonban be csak de e ebben egy egyes egyéb egyik el ellen
    elő én és ez ezek ezen ezért ezt fel hanem hiszen hogy hogyan igen ill illetve is itt jó ki kell két ki le lesz lett ma már más
    meg még mely mert mi miért mint mit most nagy ne nem nincs ő ők olyan össze ott pedig s saját sem sok számára szemben szerint
    számos szinte talán te úgy után utána vagy vagyok van volna volt`,
  indonesian: `ada adalah agar akan aku anda apa atau bagi bahwa banyak begitu belum bisa boleh bukan dalam dan dapat dari
    dengan di dia harus hanya ia ini itu jadi jangan jika juga kalau kami kamu karena ke kepada kita lagi lain lebih masih mereka
    oleh pada para pun saat saja saya sangat se sebagai sedang sebuah sekarang semua seperti serta sudah supaya tapi telah tetapi
    tidak untuk yaitu yang`,
  italian: `a abbia ad agli ai al alla alle allo anche aveva avevano c che chi ci come con cosa cui d da dagli dai dal dalla dalle
    de degli dei del della delle dello di dove e ed era erano essere fra gli ha hai hanno ho i il in io l la le lei li lo loro lui
    ma mi mia mie miei mio ne negli nei nel nella nelle nello no noi non nostra nostro o per perché più quale quando quanta quello
    quella questa queste questi questo se sei si sia siamo sono sta su sua sue sugli sui sul sulla suo suoi ti tra tu tua tuo tutti
    tutto un una uno vi voi`,
  japanese: `の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など なっ ない この ため その あっ よう
    また もの という あり まで られ なる へ か だ これ によって により おり より による ず なり られる において ば なかっ なく しかし
    について せ だっ その後 できる それ う ので なお のみ でき き つ における および いう さらに でも ら たり その他 に関する たち
    ます です ました ません でした`,
  norwegian: `alle at av bare begge ble bli blir da de deg den denne der dere deres det dette di din disse du eller en enn er et
    etter for fordi fra før ha hadde han hans har henne hennes her hun hva hvem hver hvilken hvis hvor hvordan hvorfor i ikke inn
    ja jeg kan kom kun kunne man mange me med meg meget men mi min mot når noe noen nå og også om opp oss over på sa samme seg
    selv si sin sitt skal skulle slik som så til um ut uten var vi vil ville vår være vært`,
  polish: `a aby ale ani aż bardzo bez bo być był była było były by co czy dla do gdy gdzie go i ich im inne ja jak jako je jego
    jej jest jeszcze jeśli już każdy kiedy kto która które który lub ma mam mi mnie może można my na nad nas nawet nic nie niż no o
    od on ona oni one oraz po pod ponieważ przed przez przy raz się są sobie swoje ta tak także tam te tego tej ten to tu tylko ty
    tym u w we więc wszystko z za ze że`,
  portuguese: `a à ao aos aquela aquele aqueles aquilo as às até com como da das de dela dele deles do dos e é ela elas ele eles
    em entre era eram essa esse esta está estão estava este eu foi foram há isso isto já la lhe lhes lo mais mas me mesmo meu minha
    muito na não nas nem no nos nós nossa nosso num numa o os ou para pela pelas pelo pelos por qual quando que quem são se seja sem
    ser será seu seus só sua suas também te tem têm tinha tu tua um uma você vocês vos`,
  romanian: `a acea aceasta această acest acesta aceste acestea acolo acum ai aici al ale alt am apoi ar are as asta astfel atât
    atunci au avea ca că care ce cea cei cel cele cine cu cum da dacă dar de deci deja deși din doar după e ea ei el ele era este eu
    fi fie fiind fost i în îi îl îmi își îți la le li lor lui mai mea mei meu mi ne nici nimic noi nostru nu o ori pe pentru poate
    prin s sa să sale sau se și sunt te toate tot tu un una unde unei unor unui va vă voi vor`,
  russian: `а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее её если есть
    еще ещё же за здесь и из или им их к как ко когда кто ли либо мне может мы на над надо наш не него нее неё нет ни них но ну о
    об однако он она они оно от очень по под при с со так также такой там те тем то того тоже той только том ты у уже хотя чего
    чей чем что чтобы чье чья эта эти это этого этой этом этот я`,
  spanish: `a al algo algunas algunos ante antes aquel aquella como con contra cual cuando de del desde donde durante e el él ella
    ellas ellos en entre era eran es esa ese eso esta está están estaba este esto fue fueron ha había han hasta hay la las le les lo
    los más me mi mí mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otro para pero poco por porque que qué quien se
    sea ser si sí sido sin sobre son su sus también tanto te tiene tienen todo todos tu tú un una uno unos usted y ya yo`,
  swedish: `alla allt att av bara blev bli blir de dem den denna deras dess det detta dig din du där då efter ej eller en er ett från
    för ha hade han hans har hon henne hennes honom hur här i icke in ingen inte jag ju kan kunde man med mellan men mig min mitt mot
    mycket ni nu när någon något några och om oss på samma sedan sig sin sitt själv skulle som så till under upp ut utan vad var
    vara varför varit varje vars vem vi vid vilken vår åt än är över`,
  turkish: `acaba ama ancak artık aslında az bana bazı belki ben beni benim bir biri birkaç biz bize bizim bu buna bunda bundan bunu
    bunun burada çok çünkü da daha de değil diye eğer en gibi göre hala hem hep hepsi her hiç için ile ise işte kadar karşın ki kim
    kimse mı mi mu mü nasıl ne neden nerede niçin o olan olarak oldu olduğu olsa on ona ondan onlar onu onun öyle rağmen sanki
    sen siz sonra şey şu tüm ve veya ya yani yine yok zaten`,
  ukrainian: `а або аби але без би був була були було бути в вам вас ви від він вона вони все всі де для до його її є ж за з зі і
    із їх й коли лише мені ми може на над нам нас не ні них ну о об один от по під при про се собі та так також там те ти то тобто
    того той тому ту тут у усі хоч хто це цей ці цього чи чого що щоб я як яка який які якщо`,
} as const;

/** A language with a stop-word list. */
export type StopWordLanguage = keyof typeof lists | 'english';

/** The languages with stop-word lists. */
export const stopWordLanguages: readonly StopWordLanguage[] = [
  'english',
  ...(Object.keys(lists) as (keyof typeof lists)[]),
];

/**
 * The stop words of a language, for the option `stopWords`. The English ones are those of scikit-learn; all others are
 * our own.
 */
export function stopWords(language: StopWordLanguage): string[] {
  if (language === 'english') return englishStopWords();
  if (!Object.hasOwn(lists, language)) {
    refuse(
      'E_PARAM',
      `there are no stop words for ${show(language)}; there are some for ${stopWordLanguages.join(', ')}`,
      {
        name: 'stopWords',
      },
    );
  }
  return [...new Set(lists[language].split(/\s+/))];
}
