export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const COOKIE = 'earshot_theme'
const YEAR_SECONDS = 365 * 24 * 60 * 60

export function readTheme(): Theme {
  const theme = document.documentElement.dataset['theme']
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Kept in a cookie, because the server writes the theme into the page. */
export function chooseTheme(theme: Theme): void {
  const age = theme === 'system' ? 0 : YEAR_SECONDS
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${COOKIE}=${theme}; Path=/; Max-Age=${age}; SameSite=Lax`
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
