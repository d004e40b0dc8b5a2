// breaks: arrows-of-surfaces-auth-oauth-compat-inbound-web-cells
export { act } from '../../commands/act.ts'
export { rows } from '../../store/rows.ts'
