import type { DefaultTheme } from 'vitepress';
/** The English texts of the theme that differ from its defaults. */
export const englishLabels: DefaultTheme.Config = {
  notFound: {
    title: 'Page not found',
    quote: 'It may have moved. Try the search at the top.',
    linkText: 'Home',
    linkLabel: 'Home',
  },
};

/** The Chinese texts of the theme. */
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

/** The Chinese texts of the search. */
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
