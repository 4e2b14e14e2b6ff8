import type { DefaultTheme } from 'vitepress';
import type { Words } from './sidebar.ts';

/** The words of the sidebar. */
export const english: Words = {
  start: 'Getting started',
  guides: 'Guides',
  lessons: 'Lessons',
  models: 'Models',
  statistics: 'Statistics',
  engines: 'Engines',
  parts: 'Reference',
  project: 'Promises and figures',
  decisions: 'Decisions',
};

/** The same in Chinese, which says what is there in English alone. */
export const chinese: Words = {
  start: '入门',
  guides: '指南',
  lessons: '课程',
  models: '模型（英文）',
  statistics: '统计量（英文）',
  engines: '引擎（英文）',
  parts: '参考（英文）',
  project: '承诺与数据（英文）',
  decisions: '决策记录（英文）',
};

/** What the theme says in English, where its own words will not do. */
export const englishLabels: DefaultTheme.Config = {
  notFound: {
    title: 'There is no such page',
    quote: 'It may have another name by now: the search at the top looks through all of them.',
    linkText: 'To the first page',
    linkLabel: 'To the first page',
  },
};

/** What the theme says in Chinese. */
export const chineseLabels: DefaultTheme.Config = {
  outline: { level: [2, 3], label: '本页内容' },
  docFooter: { prev: '上一页', next: '下一页' },
  sidebarMenuLabel: '目录',
  returnToTopLabel: '回到顶部',
  langMenuLabel: '选择语言',
  skipToContentLabel: '跳到正文',
  darkModeSwitchLabel: '外观',
  lightModeSwitchTitle: '切换到浅色',
  darkModeSwitchTitle: '切换到深色',
  notFound: {
    title: '没有这个页面',
    quote: '它可能换了名字，可以用上方的搜索找找看。',
    linkText: '回到首页',
    linkLabel: '回到首页',
  },
};

/** What the search says in Chinese. */
export const chineseSearch: Partial<DefaultTheme.LocalSearchOptions> = {
  translations: {
    button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
    modal: {
      displayDetails: '显示详情',
      resetButtonTitle: '清空',
      backButtonTitle: '关闭',
      noResultsText: '没有找到',
      footer: { selectText: '打开', navigateText: '移动', closeText: '关闭' },
    },
  },
};
