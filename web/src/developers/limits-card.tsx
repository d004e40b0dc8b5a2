import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { listApiKeys } from '../api/api-keys.ts'
import { recorder } from '../api/recorder.ts'
import { type Identity, whoami } from '../api/service.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { useMay } from '../app/use-may.ts'
import {
  ALERTS_QUERY,
  CHANNELS_QUERY,
  GROUPS_QUERY,
  KEYWORD_NAMES_QUERY,
  NAMED_SOURCES_QUERY,
  SEGMENTS_QUERY,
  useViews,
} from '../app/workspace-queries.ts'
import { Card } from '../kit/card.tsx'
import { Count } from '../kit/count.tsx'
import { DataTable } from '../kit/data-table.tsx'
import { Bar } from '../kit/meter.tsx'
import styles from './developers.module.css'
import { words } from './words.ts'

type Thing = keyof Identity['limits']
const THINGS = Object.keys(words.things) as Thing[]

/** What is left of the limits, of requests and of the workspace. */
export function LimitsCard() {
  const identity = useQuery({ queryKey: ['whoami'], queryFn: ({ signal }) => whoami(signal) })
  const used = useUsed()
  return (
    <Card title={words.limits}>
      <div className={styles.stack}>
        <Requests />
        <QueryPanel query={identity} lines={7} height={36}>
          {({ limits }) => <Things limits={limits} used={used} />}
        </QueryPanel>
      </div>
    </Card>
  )
}

function Requests() {
  const allowance = useSyncExternalStore(recorder.subscribe, recorder.allowance)
  return (
    <div className={styles.allowance}>
      {allowance !== null && (
        <>
          <span>{words.requestsLeft(allowance.remaining, allowance.limit)}</span>
          <Bar share={1 - allowance.remaining / allowance.limit} label={words.requests} />
        </>
      )}
      <p className={styles.small}>
        {words.requestsHint} <a href="/guide/guides/call-the-api#rate-limit">{words.limitsGuide}</a>
      </p>
    </div>
  )
}

/** How many there are, of what this page may ask for. */
function useUsed(): Partial<Record<Thing, number | undefined>> {
  const may = useMay()
  const keys = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => listApiKeys(signal),
    enabled: may.manage,
  })
  return {
    keywords: useQuery(KEYWORD_NAMES_QUERY).data?.total,
    groups: useQuery(GROUPS_QUERY).data?.data.length,
    views: useViews().data?.data.length,
    segments: useQuery(SEGMENTS_QUERY).data?.data.length,
    channels: useQuery(CHANNELS_QUERY).data?.data.length,
    alerts: useQuery(ALERTS_QUERY).data?.data.length,
    apiKeys: keys.data?.data.length,
    namedSources: useQuery(NAMED_SOURCES_QUERY).data?.data.length,
  }
}

function Things({ limits, used }: { limits: Identity['limits']; used: ReturnType<typeof useUsed> }) {
  const { limitColumns: columns } = words
  return (
    <DataTable<Thing>
      caption={words.limitsCaption}
      rows={THINGS}
      rowKey={(thing) => thing}
      columns={[
        { id: 'thing', label: columns.thing, render: (thing) => words.things[thing] },
        {
          id: 'used',
          label: columns.used,
          align: 'end',
          render: (thing) => {
            const count = used[thing]
            return count === undefined ? words.unknown : <Count value={count} />
          },
        },
        { id: 'limit', label: columns.limit, align: 'end', render: (thing) => <Count value={limits[thing]} /> },
      ]}
    />
  )
}
