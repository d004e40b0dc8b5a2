import { useQuery } from '@tanstack/react-query'
import type { Channel } from '../api/channels.ts'
import { getInspection } from '../api/inspections.ts'
import { SetUpFailure } from '../app/new-channel/set-up-failure.tsx'
import { addressOf, SignedRequest } from '../app/request/signed-request.tsx'
import { useLive } from '../app/use-live.ts'
import { words } from './words.ts'

interface InspectedProps {
  inspectionId: string
  channel: Channel
  /** The event whose newest request is shown. */
  isWanted: (event: string | undefined) => boolean
}

/** The newest request of a kind that the inbox of this visit received. */
export function Inspected({ inspectionId, channel, isWanted }: InspectedProps) {
  const inbox = useQuery({
    queryKey: ['inspection', inspectionId],
    queryFn: ({ signal }) => getInspection(inspectionId, signal),
  })
  useLive(['delivery.changed'], () => void inbox.refetch())
  if (inbox.error !== null) return <SetUpFailure error={inbox.error} onRetry={() => void inbox.refetch()} />
  const request = inbox.data?.requests.find(({ body }) => isWanted(eventOf(body)))
  if (request === undefined) return null
  return (
    <SignedRequest title={words.requestOf} address={addressOf(channel)} request={request} verdict={request.signature} />
  )
}

function eventOf(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { event?: string }).event
  } catch {
    // Anybody who knows the URL can send anything.
    return undefined
  }
}
