import { Link } from 'wouter'
import { Page } from './page.tsx'
import { words } from './words.ts'

export function NotFound() {
  return (
    <Page title={words.notFound}>
      <p>{words.notFoundHint}</p>
      <p>
        <Link href="/inbox">{words.toInbox}</Link>
      </p>
    </Page>
  )
}
