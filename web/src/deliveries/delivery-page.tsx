import { useLocation, useSearchParams } from 'wouter'
import { Page } from '../app/page.tsx'
import { LinkButton } from '../kit/button.tsx'
import { followBy } from '../kit/follow.ts'
import { DeliveryView } from './delivery-view.tsx'
import { logHref, NOTHING, type Opened } from './log-query.ts'
import { words } from './words.ts'

/** One delivery by its address. */
export default function DeliveryPage({ params }: { params: Readonly<Record<string, string>> }) {
  const [search] = useSearchParams()
  const [, navigate] = useLocation()
  const opened: Opened = { id: params['delivery'] ?? '', channelId: search.get('channelId') }
  const addressOf = ({ id, channelId }: Opened) =>
    `/deliveries/${encodeURIComponent(id)}${channelId === null ? '' : `?channelId=${channelId}`}`
  return (
    <Page
      title={words.delivery}
      actions={
        <LinkButton href={logHref(NOTHING, opened)} onClick={followBy(navigate)}>
          {words.inLog}
        </LinkButton>
      }
    >
      <DeliveryView key={opened.id} opened={opened} onOpen={(next) => navigate(addressOf(next))} />
    </Page>
  )
}
