// Functions that run in a page. Each is sent as text, so it uses nothing but its arguments and the page.

// biome-ignore lint/suspicious/noExplicitAny: the page, whose types the code does not have
type Page = any

declare const document: Page
declare const window: Page
declare const Navigator: Page
declare const getComputedStyle: Page

/** Writes violations of the content security policy to the console, where they are collected. */
export function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', (event: Page) => {
    const place = `${event.sourceFile}:${event.lineNumber}`
    window.console.error(
      `securitypolicyviolation: ${event.effectiveDirective} ${event.blockedURI} ${event.sample} ${place}`,
    )
  })
}

/** Stops the clock of the page, and leaves its timers alone. */
export function freezeDate(nowMs: number): void {
  window.Date = new Proxy(window.Date, {
    construct: (date, parts, made) => Reflect.construct(date, parts.length === 0 ? [nowMs] : parts, made),
    get: (date, key) => (key === 'now' ? () => nowMs : Reflect.get(date, key)),
  })
}

/** How many pixels the page is wider than its window. */
export function sidewaysScroll(): number {
  const { scrollWidth, clientWidth } = document.documentElement
  return Math.max(0, scrollWidth - clientWidth)
}

/** Whether the page has its heading and shows no place of what is still loaded. */
export function isLoaded(): boolean {
  return document.querySelector('main h1, main h2') !== null && document.querySelector('[aria-busy=true]') === null
}

/** Which of the texts stand in the page, as a text or as the name of something. */
export function textsAmong(texts: readonly string[]): string[] {
  const wanted = new Set(texts)
  const names = ['aria-label', 'title', 'placeholder']
  const shown = [...document.querySelectorAll('body *')].flatMap((element: Page) => [
    ...[...element.childNodes].filter((node: Page) => node.nodeType === 3).map((node: Page) => node.data.trim()),
    ...names.map((name) => element.getAttribute(name)),
  ])
  return [...new Set(shown)].filter((text) => text !== null && wanted.has(text)) as string[]
}

/** Remembers what gets the focus from now on, and whether it shows that. Returns how many controls wait for it. */
export function watchFocus(): number {
  const visited = new Set<Page>()
  const ringless = new Set<Page>()
  // The link of a table row draws its ring around the row, with a box after its text.
  const hasRing = (element: Page): boolean =>
    [null, '::after'].some((part) => {
      const { outlineStyle, boxShadow } = getComputedStyle(element, part)
      return outlineStyle !== 'none' || boxShadow !== 'none'
    })
  window.watchedFocus = { visited, ringless }
  document.addEventListener('focusin', ({ target }: Page) => {
    visited.add(target)
    const shows = [target, target.parentElement, target.parentElement?.parentElement].filter(Boolean).some(hasRing)
    if (shows) ringless.delete(target)
    else ringless.add(target)
  })
  document.activeElement?.blur()
  return document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]').length
}

/** Controls that a person sees and the focus did not reach, and those that do not show the focus. */
export function missedFocus(): { unreached: string[]; ringless: string[] } {
  const { visited, ringless } = window.watchedFocus
  const describe = (element: Page): string => {
    const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40)
    return `${element.tagName.toLowerCase()}${element.id === '' ? '' : `#${element.id}`} ${JSON.stringify(name)}`
  }
  const isVisible = (element: Page): boolean =>
    element.checkVisibility({ opacityProperty: false, visibilityProperty: true }) && element.closest('[inert]') === null
  // Of radio buttons with one name the focus reaches one.
  const isOfReachedGroup = (element: Page): boolean =>
    element.type === 'radio' && [...visited].some(({ type, name }) => type === 'radio' && name === element.name)
  const controls = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')
  const unreached = [...controls].filter(
    (element: Page) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled') &&
      isVisible(element) &&
      !visited.has(element) &&
      !isOfReachedGroup(element),
  )
  return { unreached: unreached.map(describe), ringless: [...ringless].map(describe) }
}

/** Runs axe, which was put into the page, and returns a line for each element that fails. */
export async function axeFindings(options: object): Promise<string[]> {
  const { violations } = await window.axe.run(document, options)
  return violations.flatMap(({ id, help, nodes }: Page) =>
    nodes.map(({ target, failureSummary }: Page) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  )
}

/** Does what windows observe, but for requests. */
export function misbehave(): void {
  window.console.log('a line')
  window.setTimeout(() => {
    throw new Error('an error of the page')
  })
  document.head.append(document.createElement('style'))
  document.head.lastChild.textContent = 'body { color: red }'
  window.setTimeout(() => {
    document.body.innerHTML = '<p>Text as markup</p>'
  })
}

/** Takes away what browsers give only to secure pages. */
export function withoutLocks(): void {
  Reflect.deleteProperty(Navigator.prototype, 'locks')
}

/** The colours of an element as the browser computes them; of one with these colours where none is given. */
export function coloursOf(of: Page): { color: string; backgroundColor: string } {
  const isElement = of instanceof window.Element
  const element = isElement ? of : document.body.appendChild(document.createElement('i'))
  if (!isElement) Object.assign(element.style, of, { forcedColorAdjust: 'none' })
  const { color, backgroundColor } = getComputedStyle(element)
  if (!isElement) element.remove()
  return { color, backgroundColor }
}
