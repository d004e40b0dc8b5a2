import type { Plugin } from 'vite'

/** Formats figures that no chart of ours shows, in the browser's language, as the module loads. */
const BY_LANGUAGE = "new Intl.NumberFormat(domEnv ? nav.language : 'en-US')"

/**
 * uPlot fails to load where a browser names no valid language, as Chromium does in a POSIX locale (`en-US@posix`); all
 * labels of our charts are formatted by the dashboard.
 */
export function chartsInAnyLanguage(): Plugin {
  return {
    name: 'charts-in-any-language',
    transform: {
      filter: { id: /node_modules\/uplot\/dist\/.*\.js$/ },
      handler(code, id) {
        if (!code.includes(BY_LANGUAGE)) throw new Error(`${id} no longer has the text ${BY_LANGUAGE}`)
        return { code: code.replace(BY_LANGUAGE, "new Intl.NumberFormat('en')"), map: null }
      },
    },
  }
}
