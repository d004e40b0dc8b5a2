import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createTopUp, type Wallet } from '../api/billing.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Form } from '../kit/form.tsx'
import { centsIn, dollarsOf, isWithin } from './amount.ts'
import { AmountField } from './amount-field.tsx'
import styles from './billing.module.css'
import { useLock } from './use-lock.ts'
import { words } from './words.ts'

/** Leads to the page of the payment provider, which leads back. */
export function TopUpCard({ wallet }: { wallet: Wallet }) {
  const { minTopUpCents: least, maxTopUpCents: most, defaultTopUpCents } = wallet
  const lock = useLock(wallet)
  const [amount, setAmount] = useState(dollarsOf(defaultTopUpCents))
  const payment = useMutation({
    mutationFn: (amountCents: number) =>
      createTopUp({ amountCents, successUrl: `${location.origin}/billing?paid=yes` }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const cents = centsIn(amount)
  const isAllowed = isWithin(cents, least, most)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isAllowed && lock === null && !payment.isPending) payment.mutate(cents)
  }
  return (
    <Card title={words.topUp}>
      <Form onSubmit={submit} noValidate>
        <p>{words.topUpHint}</p>
        <AmountField
          {...{ least, most }}
          label={words.amount}
          value={amount}
          disabled={lock !== null}
          onChange={setAmount}
        />
        {payment.error !== null && <RequestFailure error={payment.error} />}
        <div className={styles.line}>
          <Button type="submit" variant="primary" busy={payment.isPending} disabled={lock !== null || !isAllowed}>
            {words.pay}
          </Button>
        </div>
        {lock !== null && <p className={styles.small}>{lock}</p>}
      </Form>
    </Card>
  )
}
