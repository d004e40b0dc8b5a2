// breaks: database-behind-store
export { Client } from 'pg'
