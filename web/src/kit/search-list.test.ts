import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SearchList } from './search-list.tsx'

/** The markup with these entries, the first of which is active. */
function markupOf(keys: readonly string[]): string {
  return renderToStaticMarkup(
    createElement(SearchList<string>, {
      label: 'Find',
      placeholder: '',
      nothing: 'Nothing',
      query: '',
      onQuery: () => undefined,
      groups: [{ id: 'all', label: 'All', items: keys }],
      keyOf: (key) => key,
      render: (key) => key,
      onChoose: () => undefined,
    }),
  )
}

function activeIn(markup: string): string | undefined {
  return /aria-activedescendant="([^"]*)"/.exec(markup)?.[1]
}

test('the field names the active entry by its key, so that another in its place is announced', () => {
  const markup = markupOf(['alpha', 'beta'])
  expect(activeIn(markup)).toMatch(/-alpha$/)
  expect(markup).toContain(`id="${activeIn(markup)}"`)
  expect(activeIn(markupOf(['beta']))).toMatch(/-beta$/)
})

test('the list counts as open only while it has entries', () => {
  expect(markupOf(['alpha'])).toContain('aria-expanded="true"')
  const empty = markupOf([])
  expect(empty).toContain('aria-expanded="false"')
  expect(activeIn(empty)).toBeUndefined()
})
