import type { library as english } from '../en/library.ts';
import { codes } from './codes.ts';

type Pattern = readonly [form: RegExp, said: string];

/** 理由的句式。 */
const reasons: readonly Pattern[] = [
  [/^named like a label, (\d+) values$/, '列名像标签，有 $1 个取值'],
  [/^the last column, (\d+) values$/, '最后一列，有 $1 个取值'],
  [/^the first column, (\d+) values$/, '第一列，有 $1 个取值'],
  [/^the fewest values of all columns: (\d+)$/, '所有列中取值最少：$1 个'],
  [/^asked for$/, '由你选定'],
  [/^(\d+) of the first (\d+) rows have (\d+) × comma$/, '前 $2 行中有 $1 行各含 $3 个逗号'],
  [/^(\d+) of the first (\d+) rows have (\d+) × tab$/, '前 $2 行中有 $1 行各含 $3 个制表符'],
  [/^(\d+) of the first (\d+) rows have (\d+) × semicolon$/, '前 $2 行中有 $1 行各含 $3 个分号'],
  [/^(\d+) of the first (\d+) rows have (\d+) × (.+)$/, '前 $2 行中有 $1 行各含 $3 个 $4'],
  [/^the text begins with \{$/, '以 { 开头'],
  [/^it looks like a mailbox$/, '开头像邮箱文件'],
  [/^the first word begins with (.+)$/, '第一个词以 $1 开头'],
  [/^it has no delimiter, but its name ends with \.(.+)$/, '没有分隔符，但文件名以 .$1 结尾'],
  [/^no delimiter occurs equally often in every line$/, '没有在各行中次数相同的分隔符'],
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
  [/^([\d,]+) hashed columns$/, '$1 个散列列'],
  [/^(\d+) columns?$/, '$1 列'],
  [/^(\d+) class(es)?$/, '$1 个类别'],
];

/** 组合中模型名称的各部分，长的在前。 */
const members: readonly Pattern[] = [
  [/^ensemble of (\d+) models; best single: /, '$1 个模型的组合；最好的单个模型：'],
  [/; log-loss ([\d.]+), the best alone ([\d.]+)$/, '；对数损失 $1，单个模型 $2'],
  [/pairs of words/g, '词对'],
  [/\bwords\b/g, '词'],
  [/pairs of characters/g, '字符对'],
  [/triples of characters/g, '三字符'],
  [/\bcharacters\b/g, '字符'],
  [/weighted multinomial/g, '加权多项式朴素贝叶斯'],
  [/\bmultinomial\b/g, '多项式朴素贝叶斯'],
  [/\bcomplement\b/g, '补集朴素贝叶斯'],
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
];

/** 第一个相符的句式；都不相符则照原文。 */
function translated(text: string, patterns: readonly Pattern[]): string {
  const found = patterns.find(([form]) => form.test(text));
  return found ? text.replace(found[0], found[1]) : text;
}

const percent = (share: string): string => `${(100 * Number(share)).toFixed(1)} %`;

/** 警告，按种类。 */
const warnings: Readonly<Record<string, (about: string, value: string) => string>> = {
  leak: (about, value) => `仅“${about}”一列就解释了标签 ${percent(value)} 的熵：请确认预测时已经知道它的值`,
  split: (about) => `“${about}”列标明了训练集和测试集：不作为特征；可以把它选为划分列，用其中的测试行评估`,
  duplicates: (_, value) => `${value} 行在每个特征上都与其他行相同；重复的行总在划分的同一侧`,
  conflicts: (_, value) => `${value} 行特征相同而标签不同：没有模型能全部答对`,
  'small-class': (about, value) => `类别“${about}”只有 ${value} 行：太少，学不好，也说不准学得如何`,
  'rare-class': (about, value) =>
    `类别“${about}”只占全部行的 ${percent(value)}：看召回率而不是正确率，并试试类别权重（--class-weight balanced）`,
  unlabeled: (about, value) => `${value} 行在“${about}”列没有标签：模型无法从中学习`,
  'near-equal-labels': (about, value) => `有 ${value} 个标签与“${about}”只差大小写或空格，却算作不同的类别：请统一写法`,
  'several-labels': (about) =>
    `“${about}”列每行有多个标签：不支持。请每行只留一个标签，或为每个标签建一列是/否并各训练一个模型`,
  'high-cardinality': (about, value) =>
    `“${about}”列有 ${value} 个不同的值：除最常见的 100 个外都算作同一个，可以的话请归并`,
  identifier: (about) => `“${about}”列是编号：对新的行没有帮助`,
  constant: (about) => `“${about}”列总是同一个值：对分类没有帮助`,
  'over-confident': (_, value) => `后验概率过于自信：平均把握比留出行上的正确率高 ${percent(value)}`,
  uncalibrated: () => '行数太少，未做校准：每个类别约需 30 行',
};

/** 程序库所说的话。 */
export const library: typeof english = {
  refusal: (code, sentence) =>
    Object.hasOwn(codes, code) ? `${codes[code as keyof typeof codes]}。原文：${sentence}` : sentence,
  warning: (kind, about, value, sentence) => (Object.hasOwn(warnings, kind) ? warnings[kind](about, value) : sentence),
  reason: (text) => translated(text, reasons),
  summary: (text) => {
    const known = text.split(', ').map((part) => translated(part, parts));
    if (known.join(', ') !== text) return known.join('，');
    return members.reduce((said, [form, own]) => said.replace(form, own), text); // 模型组合，或组合中的一个
  },
};
