import { getWallet } from '../../queries/wallet/get-wallet.ts'
import { defineOperation } from '../definition.ts'
import { wallet } from './shapes.ts'

export const getWalletOperation = defineOperation({
  id: 'get-wallet',
  method: 'GET',
  path: '/v1/billing/wallet',
  access: 'read',
  summary: 'Read the wallet',
  description:
    'The prepaid balance in full: what is left and pending, how fast it goes, what the next day and a restart ' +
    'cost, and how it is filled. Every amount is rounded by itself from exact figures, so one may differ by a ' +
    'cent from the sum or difference of others.',
  tag: 'Billing',
  status: 200,
  output: wallet,
  errors: [],
  tool: { name: 'get_wallet', title: 'Read the wallet', destructive: false, idempotent: true },
  run: (context) => getWallet(context),
})
