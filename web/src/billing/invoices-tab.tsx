import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { getInvoiceUrl, type Invoice, listInvoices } from '../api/billing.ts'
import { ApiError } from '../api/errors.ts'
import { NextPage } from '../app/next-page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { useMay } from '../app/use-may.ts'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Money } from '../kit/money.tsx'
import { formatUtcDay } from '../kit/time.tsx'
import type { Tone } from '../kit/tone.ts'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import styles from './billing.module.css'
import { words } from './words.ts'

export function InvoicesTab() {
  return useMay().manage ? <Invoices /> : <Empty title={words.tabs.invoices}>{words.whoSeesLedger}</Empty>
}

function Invoices() {
  const invoices = useInfiniteQuery({
    queryKey: ['invoices'],
    queryFn: ({ pageParam, signal }) => listInvoices(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    retry: false,
  })
  if (invoices.error instanceof ApiError && invoices.error.code === 'billing_not_configured')
    return <Empty title={words.noInvoice}>{words.notConfigured}</Empty>
  return (
    <Card>
      <p className={styles.small}>{words.invoicesHint}</p>
      <QueryPanel query={invoices} lines={5} height={40}>
        {({ pages }) => <Rows invoices={pages.flatMap(({ data }) => data)} />}
      </QueryPanel>
      <NextPage list={invoices} label={words.older} className={styles.more} />
    </Card>
  )
}

function Rows({ invoices }: { invoices: readonly Invoice[] }) {
  if (invoices.length === 0) return <Empty title={words.noInvoice}>{words.noInvoiceHint}</Empty>
  return <DataTable caption={words.invoicesCaption} columns={COLUMNS} rows={invoices} rowKey={({ id }) => id} />
}

const TONES: Readonly<Record<Invoice['status'], Tone>> = {
  draft: 'neutral',
  open: 'warning',
  paid: 'positive',
  uncollectible: 'negative',
  void: 'neutral',
}

const { invoiceColumns: columns } = words
const COLUMNS: Column<Invoice>[] = [
  { id: 'number', label: columns.number, render: ({ number }) => <bdi>{number ?? words.noNumber}</bdi> },
  { id: 'date', label: columns.date, render: ({ createdAt }) => formatUtcDay(createdAt) },
  {
    id: 'status',
    label: columns.status,
    render: ({ status }) => <Badge tone={TONES[status]}>{words.invoiceStatuses[status]}</Badge>,
  },
  { id: 'amount', label: columns.amount, align: 'end', render: ({ amountCents }) => <Money cents={amountCents} /> },
  { id: 'open', label: columns.open, align: 'end', render: (invoice) => <OpenInvoice invoice={invoice} /> },
]

/** The page of the provider has an address that anybody can open, so it is asked for only when it is wanted. */
function OpenInvoice({ invoice: { id, number } }: { invoice: Invoice }) {
  const opening = useMutation({ mutationFn: () => getInvoiceUrl(id), onSuccess: ({ url }) => location.assign(url) })
  return (
    <>
      <Button size="small" busy={opening.isPending} onClick={() => opening.mutate()}>
        {words.open}
        <VisuallyHidden> {number ?? id}</VisuallyHidden>
      </Button>
      {opening.error !== null && <RequestFailure error={opening.error} />}
    </>
  )
}
