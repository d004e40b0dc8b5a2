// breaks: arrows-of-jobs
export { operation } from '../operations/operation.ts'
