import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chartsInAnyLanguage } from './chart-language.ts'
import { inLanguage, languageOf } from './languages.ts'

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The floating parts of Base UI, which the first screen does not need. */
const FLOATING = /node_modules\/(@base-ui|@floating-ui)\//
/** What the floating parts share with the first screen. Without a chunk of its own it would lie among them. */
const SHARED = /node_modules\/(react|react-dom|scheduler|use-sync-external-store|clsx)\/|rolldown\/runtime/

/** The inbox with the frame around it, and all that they import: one request instead of thirty. */
const FIRST = /web\/src\/(main|mentions\/inbox-page)\.tsx$/

/** What several pages share is one request, because HTTP/1.1 sends few at once. */
const OURS = /web\/src\//

/** The service that `npx vite -c web/vite.config.ts` passes requests to while the dashboard is developed. */
const SERVICE = process.env['EARSHOT_ORIGIN'] ?? 'http://localhost:4400'

/** The service accepts changes from its own pages only, so requests carry its origin. */
const passed = { target: SERVICE, headers: { Origin: SERVICE } }

/** The mode names the language: `npx vite -c web/vite.config.ts --mode de` shows the dashboard in German. */
export default defineConfig(({ mode }) => ({
  root: folder('.'),
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), inLanguage(languageOf(mode)), chartsInAnyLanguage()],
  server: { proxy: Object.fromEntries(['/v1', '/session', '/sign-in', '/sign-up'].map((path) => [path, passed])) },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: folder('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    // Inlined pictures need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: SHARED, priority: 3 },
            { name: 'floating', test: FLOATING, priority: 2 },
            { name: 'inbox', test: FIRST, priority: 1 },
            { name: 'shared', test: OURS, minShareCount: 2 },
          ],
        },
      },
    },
  },
}))
