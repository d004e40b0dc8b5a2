// breaks: arrows-of-surfaces-http-rest-openapi-mcp-guide-door

export { act } from '../../commands/act.ts'
export { operation } from '../../operations/operation.ts'
