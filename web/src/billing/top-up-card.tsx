import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createTopUp, type Wallet } from '../api/billing.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { useMay } from '../app/use-may.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Field, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { formatRoundMoney } from '../kit/money.tsx'
import { centsIn, dollarsOf, isWithin } from './amount.ts'
import styles from './billing.module.css'
import { words } from './words.ts'

/** Leads to the page of the payment provider, which leads back. */
export function TopUpCard({ wallet }: { wallet: Wallet }) {
  const { minTopUpCents: least, maxTopUpCents: most, defaultTopUpCents, billingConfigured } = wallet
  const may = useMay()
  const [amount, setAmount] = useState(dollarsOf(defaultTopUpCents))
  const payment = useMutation({
    mutationFn: (amountCents: number) =>
      createTopUp({ amountCents, successUrl: `${location.origin}/billing?paid=yes` }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const cents = centsIn(amount)
  const isAllowed = isWithin(cents, least, most)
  const isLocked = !may.manage || !billingConfigured
  const limits = words.between(formatRoundMoney(least), formatRoundMoney(most))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isAllowed && !isLocked && !payment.isPending) payment.mutate(cents)
  }
  return (
    <Card title={words.topUp}>
      <Form onSubmit={submit} noValidate>
        <p>{words.topUpHint}</p>
        <Field label={words.amount} hint={isAllowed ? limits : undefined} error={isAllowed ? null : limits}>
          <TextInput
            inputMode="decimal"
            value={amount}
            disabled={isLocked}
            onChange={(event) => setAmount(event.target.value)}
          />
        </Field>
        {payment.error !== null && <RequestFailure error={payment.error} />}
        <div className={styles.line}>
          <Button type="submit" variant="primary" busy={payment.isPending} disabled={isLocked || !isAllowed}>
            {words.pay}
          </Button>
        </div>
        {isLocked && <p className={styles.small}>{billingConfigured ? words.whoManages : words.notConfigured}</p>}
      </Form>
    </Card>
  )
}
