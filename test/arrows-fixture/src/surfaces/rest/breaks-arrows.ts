// breaks: arrows-of-surfaces-http-rest-openapi-mcp

export { act } from '../../commands/act.ts'
export { operation } from '../../operations/operation.ts'
