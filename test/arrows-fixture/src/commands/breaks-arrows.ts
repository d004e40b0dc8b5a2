// breaks: arrows-of-commands
export { contract } from '../sources/contract.ts'
export { shared } from '../sources/shared.ts'
