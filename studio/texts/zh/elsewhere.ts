import type { elsewhere as english } from '../en/elsewhere.ts';

/** “评估”页面上交叉验证和另一个文件的文字。 */
export const elsewhere: typeof english = {
  offer: {
    behind: (name: string, points: string) => `可读的模型（${name}）在留出数据上只低 ${points} 个百分点。`,
    asGood: (name: string) => `可读的模型（${name}）在留出数据上同样准确。`,
    use: '使用它',
  },
  elsewhere: {
    folds: '交叉验证',
    foldsHelp: '按本次训练的设置，依次留出一折用于评估，用其余各折训练。',
    k: '折数',
    start: '交叉验证',
    foldHeads: ['折', '行数', '准确率', '对数损失'],
    together: '合计',
    second: '另一个文件',
    secondHelp: '在另一个文件中有标签的行上评估模型，并把它的列和词与训练样本比较。',
    file: '选择文件',
    rows: (n: string) => `${n} 行`,
    accuracy: (value: string, low: string, high: string, n: string) =>
      `在 ${n} 行有标签的数据上，准确率 ${value}（95% 区间 ${low} 至 ${high}）`,
    unlabelled: '它没有标签，无法评估。',
    absent: (names: string) => `缺少的列：${names}`,
    drift: '列：训练样本与此文件',
    columnHeads: ['列', '差异', 'p', '此前缺失', '此处缺失'],
    drifts: '< 0.001，漂移',
    words: '词：含有该词的文本占比',
    wordHeads: ['词', '训练样本', '此文件', '标准误'],
  },
};
