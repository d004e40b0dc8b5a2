// breaks: arrows-of-payments
export * from '../sources/contract.ts'
