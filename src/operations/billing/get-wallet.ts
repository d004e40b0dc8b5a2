import { getWallet } from '../../queries/wallet/get-wallet.ts'
import { defineOperation } from '../definition.ts'
import { wallet } from './shapes.ts'

export const getWalletOperation = defineOperation({
  id: 'get-wallet',
  method: 'GET',
  path: '/v1/billing/wallet',
  access: 'read',
  summary: 'Get the wallet',
  description:
    'Returns the prepaid balance: available and pending amounts, spending rate, cost of the next day ' +
    'and of a restart, and auto-recharge. Each amount is rounded by itself, so sums may differ by a ' +
    'cent.',
  tag: 'Billing',
  status: 200,
  output: wallet,
  errors: [],
  tool: { name: 'get_wallet', title: 'Get the wallet', destructive: false, idempotent: true },
  run: (context) => getWallet(context),
})
