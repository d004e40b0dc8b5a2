// breaks: arrows-of-surfaces-http-rest-openapi-mcp-guide

export { act } from '../../commands/act.ts'
export { operation } from '../../operations/operation.ts'
