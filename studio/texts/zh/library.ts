import type { Refusal } from '../../protocol.ts';
import type { library as english } from '../en/library.ts';
import { codes } from './codes.ts';

type Pattern = readonly [form: RegExp, said: string];

/** 格式、编码和标签列的识别依据。 */
const reasons: readonly Pattern[] = [
  [/^named like a label, (\d+) values$/, '列名像标签，共 $1 个取值'],
  [/^the last column, (\d+) values$/, '最后一列，共 $1 个取值'],
  [/^the first column, (\d+) values$/, '第一列，共 $1 个取值'],
  [/^the fewest values of all columns: (\d+)$/, '所有列中取值最少：$1 个'],
  [/^asked for$/, '由用户指定'],
  [/^(\d+) of the first (\d+) rows have (\d+) × comma$/, '前 $2 行中有 $1 行各含 $3 个逗号'],
  [/^(\d+) of the first (\d+) rows have (\d+) × tab$/, '前 $2 行中有 $1 行各含 $3 个制表符'],
  [/^(\d+) of the first (\d+) rows have (\d+) × semicolon$/, '前 $2 行中有 $1 行各含 $3 个分号'],
  [/^(\d+) of the first (\d+) rows have (\d+) × (.+)$/, '前 $2 行中有 $1 行各含 $3 个 $4'],
  [/^the text begins with \{$/, '以 { 开头'],
  [/^it looks like a mailbox$/, '开头像邮箱文件'],
  [/^the first word begins with (.+)$/, '第一个词以 $1 开头'],
  [/^it has no delimiter, but its name ends with \.(.+)$/, '没有分隔符，但文件名以 .$1 结尾'],
  [/^no delimiter occurs equally often in every line$/, '没有在每行中出现次数相同的分隔符'],
  [/^it begins with PAR1$/, '以 PAR1 开头'],
];

/** 模型概要的各部分。 */
const parts: readonly Pattern[] = [
  [/^multinomial naive Bayes$/, '多项式朴素贝叶斯'],
  [/^complement naive Bayes$/, '补集朴素贝叶斯'],
  [/^Bernoulli naive Bayes$/, '伯努利朴素贝叶斯'],
  [/^Pólya urns \(Dirichlet-multinomial\)$/, 'Pólya 罐子（狄利克雷-多项分布）'],
  [/^Poisson naive Bayes$/, '泊松朴素贝叶斯'],
  [/^Gaussian naive Bayes$/, '高斯朴素贝叶斯'],
  [/^kernel density naive Bayes$/, '核密度朴素贝叶斯'],
  [/^linear discriminant analysis$/, '线性判别分析'],
  [/^quadratic discriminant analysis$/, '二次判别分析'],
  [/^regularised discriminant analysis$/, '正则化判别分析'],
  [/^categorical naive Bayes$/, '类别朴素贝叶斯'],
  [/^tree-augmented naive Bayes$/, '树增强朴素贝叶斯'],
  [/^k-dependence Bayesian classifier$/, 'k 依赖贝叶斯分类器'],
  [/^averaged one-dependence estimators$/, '平均一依赖估计'],
  [/^weighted averaged one-dependence estimators$/, '加权平均一依赖估计'],
  [/^naive Bayes over mixed columns$/, '混合列朴素贝叶斯'],
  [/^set of words$/, '词集合'],
  [/^(.+)-grams$/, '$1 元词组'],
  [/^of characters$/, '按字符'],
  [/^([\d,]+) words$/, '$1 个词'],
  [/^([\d,]+) hashed columns$/, '$1 个哈希特征'],
  [/^(\d+) columns?$/, '$1 列'],
  [/^(\d+) class(es)?$/, '$1 个类别'],
];

/** 集成中各模型名称的组成部分，长的在前。 */
const members: readonly Pattern[] = [
  [/^ensemble of (\d+) models; best single: /, '$1 个模型的集成；最优单个模型：'],
  [/; log-loss ([\d.]+), the best alone ([\d.]+)$/, '；对数损失 $1，单个模型 $2'],
  [/pairs of words/g, '词对'],
  [/\bwords\b/g, '词'],
  [/pairs of characters/g, '字符对'],
  [/triples of characters/g, '三字符'],
  [/\bcharacters\b/g, '字符'],
  [/weighted multinomial/g, '加权多项式朴素贝叶斯'],
  [/\bmultinomial\b/g, '多项式朴素贝叶斯'],
  [/\bcomplement\b/g, '补集朴素贝叶斯'],
  [/naive Bayes, distributions/g, '按分布拟合的朴素贝叶斯'],
  [/weighted naive Bayes, pairs/g, '含列对的加权朴素贝叶斯'],
  [/naive Bayes/g, '朴素贝叶斯'],
  [/bins by description length/g, '按描述长度分箱'],
  [/bins of equal frequency/g, '等频分箱'],
  [/heavy tails/g, '重尾'],
  [/\blda\b/g, '线性判别分析'],
  [/\brda\b/g, '正则化判别分析'],
  [/\bwaode\b/g, '加权平均一依赖估计'],
  [/\baode\b/g, '平均一依赖估计'],
  [/\btan\b/g, '树增强朴素贝叶斯'],
  [/\bkdb\b/g, 'k 依赖贝叶斯分类器'],
  [/passes (\d+)/g, '$1 遍'],
  [/alpha /g, 'α = '],
  [/, (?![\d.]+\))/g, '，'],
  [/: /g, '：'],
];

/** 按第一个匹配的句式翻译；都不匹配则返回原文。 */
function translated(text: string, patterns: readonly Pattern[]): string {
  const found = patterns.find(([form]) => form.test(text));
  return found ? text.replace(found[0], found[1]) : text;
}

const percent = (share: string): string => `${(100 * Number(share)).toFixed(1)}%`;

/** 警告，按种类。 */
const warnings: Readonly<Record<string, (about: string, value: string) => string>> = {
  leak: (about, value) => `仅“${about}”一列就解释了标签熵的 ${percent(value)}：请确认预测时该列的值已知`,
  missing: (about, value) =>
    `“${about}”列是否缺失即可解释标签熵的 ${percent(value)}，而模型会忽略缺失值：如果预测时已知，请增加一列说明是否缺失`,
  split: (about) => `“${about}”列标明了训练集和测试集，不作为特征；可选作划分列，用其中的测试样本评估`,
  duplicates: (_, value) => `${value} 行的所有特征都与其他行相同；重复的行总在划分的同一侧`,
  conflicts: (_, value) => `${value} 行特征相同但标签不同：任何模型都无法全部预测正确`,
  'small-class': (about, value) => `类别“${about}”只有 ${value} 行：样本太少，难以学习，也难以可靠评估`,
  'rare-class': (about, value) =>
    `类别“${about}”仅占全部样本的 ${percent(value)}：请关注召回率而不是准确率，并尝试类别权重（--class-weight balanced）`,
  unlabeled: (about, value) => `${value} 行在“${about}”列没有标签，不参与训练`,
  'near-equal-labels': (about, value) =>
    `有 ${value} 个标签与“${about}”仅大小写或空格不同，会被当作不同的类别：请统一写法`,
  'several-labels': (about) =>
    `“${about}”列每行有多个标签，会被当作一个类别：请用 polya fit --multilabel 或库中的 OneVsRestClassifier 学习每个标签`,
  'high-cardinality': (about, value) =>
    `“${about}”列有 ${value} 个不同取值：除最常见的 100 个外均合并为一个，建议先归并取值`,
  identifier: (about) => `“${about}”列是编号，对新样本没有预测作用`,
  constant: (about) => `“${about}”列总是同一个值，对分类没有作用`,
  'over-confident': (_, value) => `概率过度自信：平均预测概率比留出样本上的准确率高 ${percent(value)}`,
  uncalibrated: () => '样本太少，未做概率校准：每个类别约需 30 个样本',
  ambiguous: (about) =>
    `“${about}”列的数值或日期有两种读法：请在“数据”页检查其类型，或在命令行用 --decimal、--date-order 指定`,
};

/** 工作室自身及导出功能的错误信息。 */
const refusals: readonly Pattern[] = [
  [/^columns (\d+) and (\d+) are both named "(.+)".*$/, '第 $1 列与第 $2 列同名：“$3”'],
  [/^"(.+)" is empty$/, '“$1”是空文件'],
  [/^"(.+)" has no rows$/, '“$1”没有数据行'],
  [/^"(.+)" has no good row; line (\d+): .+$/, '“$1”没有可读取的行，首个错误在第 $2 行'],
  [
    /^"(.+)" has (\d+) MB and this page reads up to (\d+) MB.*$/,
    '“$1”有 $2 MB，页面最多读取 $3 MB；请用命令 polya fit',
  ],
  [
    /^"(.+)" has (\d+) columns and this page shows up to (\d+).*$/,
    '“$1”有 $2 列，页面最多显示 $3 列；请用命令 polya fit',
  ],
  [/^"(.+)" has more than (\d+) rows.*$/, '“$1”超过 $2 行，页面无法容纳；请用命令 polya fit'],
  [
    /^column "(.+)" has (\d+) distinct labels and this page shows up to (\d+).*$/,
    '“$1”列有 $2 个不同标签，页面最多显示 $3 个；请另选标签列',
  ],
  [/^column "(.+)" has fewer than two labels.*$/, '“$1”列的标签少于两个；请另选标签列'],
  [/^column "(.+)" has no numbers$/, '“$1”列没有数值'],
  [/^unpacked it has more than (\d+) MB$/, '解压后超过 $1 MB'],
  [/^the file cannot be unpacked: .*$/, '文件无法解压'],
  [/^the sample could not be fetched from .*$/, '无法下载样例'],
  [/^smoothing is a number from 0 on, or auto$/, '平滑参数应为不小于 0 的数，或 auto'],
  [/^n-grams are written as .*$/, '连续词数应写作 1、2 或 1-2'],
  [/^.+, and no column has them; choose auto$/, '没有适合该模型的列；请选择自动'],
  [/^no naive Bayes model takes all of these columns$/, '没有能使用所有这些列的朴素贝叶斯模型'],
  [/^no data are open$/, '还没有打开数据'],
  [/^no model is open$/, '还没有打开模型'],
  [/^this run no longer exists; train again$/, '这次训练已不存在；请重新训练'],
  [/^there is no row (\d+)$/, '没有第 $1 行'],
  [/^no rows were held out.*$/, '没有留出样本'],
  [/^the two runs hold out different rows.*$/, '两次训练的留出样本不同；请用相同的标签列、留出比例和随机种子训练'],
  [/^the held-out rows need rows with and without class "(.+)"$/, '留出样本中须既有类别“$1”的样本，也有其他类别的样本'],
  [/^these two columns have numbers of fewer than two classes$/, '这两列只有不到两个类别的数值'],
  [/^two discriminant axes need three classes.*$/, '两个判别方向需要三个类别和两个数值列'],
  [
    /^dependent pairs are found for models of one kind of column.*$/,
    '只有文本、数值或类别单一类型的列才能查找相关特征',
  ],
  [/^this file contains an estimator.*$/, '该文件是估计器或其一部分；页面只能打开 polya fit 生成的分类器'],
  [/^this browser could not save the project .*$/, '浏览器无法保存项目；请在“开始”页将项目保存为文件'],
  [/^this project file is damaged$/, '项目文件已损坏'],
  [/^this file holds no project$/, '该文件不是项目文件'],
  [/^the worker could not be started$/, '后台线程无法启动'],
  [/^(.+) cannot be exported.*$/, '$1 无法导出为这种格式'],
  [/^(PMML|scikit-learn|ONNX|SQL|JSON) cannot represent .*$/, '$1 无法表示这个模型'],
  [/^a pool has no parameters by .*$/, '集成模型没有可列成表格的特征参数'],
  [/^an? (.+) has no parameters by feature that a table could show$/, '$1 没有可列成表格的特征参数'],
];

/** 无法读取的行的原因。 */
const badRows: readonly Pattern[] = [
  [/^the row has (\d+) cells?, the table (\d+)$/, '该行有 $1 个单元格，应有 $2 个'],
  [/^the quote opened here.*$/, '引号没有闭合'],
  [/^a closing quote is followed by text.*$/, '闭合引号后还有文字；单元格内的引号须写两次'],
  [/^the (cell|row|line) is longer than (\d+) bytes.*$/, '内容超过 $2 字节'],
  [/^the row has more than (\d+) cells.*$/, '该行超过 $1 个单元格'],
  [/^NUL bytes are not text.*$/, '含有 NUL 字节，不是文本'],
  [/^byte (0x[0-9a-f]+) is not valid UTF-8.*$/, '字节 $1 不是有效的 UTF-8；请选择正确的编码'],
  [/^the object has this key twice$/, '对象中有重复的键'],
  [/^.*(JSON|is expected, not|continues after its value|string|escape|surrogate).*$/, '不是有效的 JSON'],
];

/** 错误的位置和数量。 */
const places: Readonly<Record<string, (value: unknown) => string>> = {
  file: (value) => `文件 ${value}`,
  line: (value) => `第 ${value} 行`,
  column: (value) => (typeof value === 'number' ? `第 ${value} 列` : `“${value}”列`),
  feature: (value) => `特征“${value}”`,
  label: (value) => `标签“${value}”`,
  name: (value) => `参数 ${value}`,
  limit: (value) => `上限 ${value}`,
  actual: (value) => `实际 ${value}`,
};

function badRow(reason: string): string {
  const said = translated(reason, badRows);
  return said === reason ? `不符合文件格式（${reason}）` : said;
}

function refusal({ code, sentence, details = {} }: Refusal): string {
  const said = translated(sentence, refusals);
  if (said !== sentence || !Object.hasOwn(codes, code)) return said;
  const where = Object.entries(details).flatMap(([name, value]) =>
    Object.hasOwn(places, name) && typeof value !== 'object' ? [places[name](value)] : [],
  );
  const meaning = typeof details.fault === 'string' ? badRow(details.fault) : codes[code as keyof typeof codes];
  return `${meaning}${where.length > 0 ? `（${where.join('，')}）` : ''}`;
}

/** 程序库的信息。 */
export const library: typeof english = {
  refusal,
  badRow,
  warning: (kind, about, value, sentence) => (Object.hasOwn(warnings, kind) ? warnings[kind](about, value) : sentence),
  reason: (text) => translated(text, reasons),
  summary: (text) => {
    const known = text.split(', ').map((part) => translated(part, parts));
    if (known.join(', ') !== text) return known.join('，');
    return members.reduce((said, [form, own]) => said.replace(form, own), text); // 模型集成，或其中的一个模型
  },
};
