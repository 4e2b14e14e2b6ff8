import { type Theme, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineComponent, h } from 'vue';
import words from '../../images/words.svg';
import './style.css';

/** Says that a page is in English only, if it is a Chinese one that does not exist. */
const NotFound = defineComponent(() => {
  const route = useRoute();
  return () =>
    route.path.startsWith('/zh/')
      ? h('div', { class: 'english-only' }, [
          h('h1', '这一页只有英文版'),
          h('p', [
            h('a', { href: route.path.slice(3) }, '阅读英文版'),
            ' · ',
            h('a', { href: '/zh/' }, '回到中文首页'),
          ]),
        ])
      : h('div', { class: 'english-only' }, [h('h1', 'Page not found'), h('p', [h('a', { href: '/' }, 'Home')])]);
});

/** The theme of VitePress, with an animated picture on the home page and a message for pages without a translation. */
export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-after': () =>
        h('img', { class: 'hero-picture', src: words, alt: 'Words of a message light up as they are typed' }),
      'not-found': () => h(NotFound),
    }),
} satisfies Theme;
