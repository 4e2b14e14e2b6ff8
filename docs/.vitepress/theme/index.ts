import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import words from '../../images/words.svg';
import './style.css';

/** What there is in Chinese. */
const translated = /^\/zh\/($|[?#]|index\.html|start\/|guides\/|lessons\/)/;

/** The theme of VitePress, with the moving picture on the first page and a switch of languages that always leads somewhere. */
export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-after': () =>
        h('img', { class: 'hero-picture', src: words, alt: 'Words of a message light up as they are typed' }),
    }),
  enhanceApp({ router }) {
    router.onBeforeRouteChange = (to) => {
      if (!to.startsWith('/zh/') || translated.test(to)) return true;
      void router.go('/zh/');
      return false;
    };
  },
} satisfies Theme;
