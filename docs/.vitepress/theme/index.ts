import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import './style.css';

/** What there is in Chinese. */
const translated = /^\/zh\/($|[?#]|index\.html|start\/|guides\/|lessons\/)/;

/** The theme of VitePress, with room for a hundred columns of a terminal, and a switch of languages that always leads somewhere. */
export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    router.onBeforeRouteChange = (to) => {
      if (!to.startsWith('/zh/') || translated.test(to)) return true;
      void router.go('/zh/');
      return false;
    };
  },
} satisfies Theme;
