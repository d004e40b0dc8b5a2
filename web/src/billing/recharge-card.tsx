import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type AutoRecharge, updateAutoRecharge, type Wallet } from '../api/billing.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { offerUndo } from '../app/undo.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Switch } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { Notice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { centsIn, dollarsOf, isWithin } from './amount.ts'
import { AmountField } from './amount-field.tsx'
import styles from './billing.module.css'
import { useLock } from './use-lock.ts'
import { words } from './words.ts'

/** The lowest threshold that the API takes. */
const THRESHOLD_LEAST_CENTS = 100

interface Draft {
  enabled: boolean
  threshold: string
  amount: string
}

function draftOf({ enabled, thresholdCents, amountCents }: AutoRecharge): Draft {
  return { enabled, threshold: dollarsOf(thresholdCents), amount: dollarsOf(amountCents) }
}

function useRecharge(former: AutoRecharge) {
  const client = useQueryClient()
  const refetch = () => client.invalidateQueries({ queryKey: ['wallet'] })
  return useMutation({
    mutationFn: updateAutoRecharge,
    onSuccess: () => {
      const { enabled, thresholdCents, amountCents } = former
      const revert = async () => {
        await updateAutoRecharge({ enabled, thresholdCents, amountCents })
        await refetch()
      }
      offerUndo({ text: words.saved, revert })
      return refetch()
    },
  })
}

/** The draft in cents; null while an amount is not allowed. */
function changeIn({ enabled, threshold, amount }: Draft, { minTopUpCents: least, maxTopUpCents: most }: Wallet) {
  const [thresholdCents, amountCents] = [centsIn(threshold), centsIn(amount)]
  if (!isWithin(thresholdCents, THRESHOLD_LEAST_CENTS, most) || !isWithin(amountCents, least, most)) return null
  return { enabled, thresholdCents, amountCents }
}

export function RechargeCard({ wallet }: { wallet: Wallet }) {
  const { autoRecharge, minTopUpCents: least, maxTopUpCents: most } = wallet
  const lock = useLock(wallet)
  const former = draftOf(autoRecharge)
  const [draft, setDraft] = useState(former)
  const saving = useRecharge(autoRecharge)
  const change = changeIn(draft, wallet)
  const isReady = lock === null && change !== null && JSON.stringify(draft) !== JSON.stringify(former)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !saving.isPending) saving.mutate(change)
  }
  const amountField = (name: 'threshold' | 'amount', label: string, from: number) => (
    <AmountField
      {...{ label, most }}
      least={from}
      value={draft[name]}
      disabled={lock !== null}
      onChange={(value) => setDraft({ ...draft, [name]: value })}
    />
  )
  return (
    <Card title={words.recharge}>
      <Form onSubmit={submit} noValidate>
        <p>{words.rechargeHint}</p>
        <Switch
          label={words.rechargeOn}
          hint={autoRecharge.available ? undefined : words.noMethod}
          checked={draft.enabled}
          disabled={lock !== null}
          onChange={(event) => setDraft({ ...draft, enabled: event.currentTarget.checked })}
        />
        {amountField('threshold', words.threshold, THRESHOLD_LEAST_CENTS)}
        {amountField('amount', words.rechargeAmount, least)}
        <LastCharge autoRecharge={autoRecharge} />
        {saving.error !== null && <RequestFailure error={saving.error} />}
        <div className={styles.line}>
          <Button type="submit" variant="primary" busy={saving.isPending} disabled={!isReady}>
            {words.save}
          </Button>
        </div>
        {lock !== null && <p className={styles.small}>{lock}</p>}
      </Form>
    </Card>
  )
}

function LastCharge({ autoRecharge: { lastRunAt, lastError } }: { autoRecharge: AutoRecharge }) {
  if (lastRunAt === null) return null
  return lastError === null ? (
    <p className={styles.small}>
      {words.lastRun} <Time at={lastRunAt} />
    </p>
  ) : (
    <Notice tone="warning">{words.lastError(lastError)}</Notice>
  )
}
