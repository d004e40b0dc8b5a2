import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type AutoRecharge, updateAutoRecharge, type Wallet } from '../api/billing.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { offerUndo } from '../app/undo.ts'
import { useMay } from '../app/use-may.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Field, Switch, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { formatRoundMoney } from '../kit/money.tsx'
import { Notice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { centsIn, dollarsOf, isWithin } from './amount.ts'
import styles from './billing.module.css'
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

export function RechargeCard({ wallet: { autoRecharge, billingConfigured, ...limits } }: { wallet: Wallet }) {
  const may = useMay()
  const former = draftOf(autoRecharge)
  const [draft, setDraft] = useState(former)
  const saving = useRecharge(autoRecharge)
  const { minTopUpCents: least, maxTopUpCents: most } = limits
  const [thresholdCents, amountCents] = [centsIn(draft.threshold), centsIn(draft.amount)]
  const thresholdOk = isWithin(thresholdCents, THRESHOLD_LEAST_CENTS, most)
  const amountOk = isWithin(amountCents, least, most)
  const isLocked = !may.manage || !billingConfigured
  const isChanged = JSON.stringify(draft) !== JSON.stringify(former)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && thresholdOk && amountOk && !isLocked && !saving.isPending)
      saving.mutate({ enabled: draft.enabled, thresholdCents, amountCents })
  }
  const amountField = (name: 'threshold' | 'amount', label: string, isOk: boolean, from: number) => (
    <Field label={label} error={isOk ? null : words.between(formatRoundMoney(from), formatRoundMoney(most))}>
      <TextInput
        inputMode="decimal"
        value={draft[name]}
        disabled={isLocked}
        onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      />
    </Field>
  )
  return (
    <Card title={words.recharge}>
      <Form onSubmit={submit} noValidate>
        <p>{words.rechargeHint}</p>
        <Switch
          label={words.rechargeOn}
          hint={autoRecharge.available ? undefined : words.noMethod}
          checked={draft.enabled}
          disabled={isLocked}
          onChange={(event) => setDraft({ ...draft, enabled: event.currentTarget.checked })}
        />
        {amountField('threshold', words.threshold, thresholdOk, THRESHOLD_LEAST_CENTS)}
        {amountField('amount', words.rechargeAmount, amountOk, least)}
        <LastCharge autoRecharge={autoRecharge} />
        {saving.error !== null && <RequestFailure error={saving.error} />}
        <div className={styles.line}>
          <Button
            type="submit"
            variant="primary"
            busy={saving.isPending}
            disabled={isLocked || !isChanged || !thresholdOk || !amountOk}
          >
            {words.save}
          </Button>
        </div>
        {isLocked && <p className={styles.small}>{billingConfigured ? words.whoManages : words.notConfigured}</p>}
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
