import { getKeyword } from '../../queries/keywords/get-keyword.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { keyword } from './shapes.ts'

export const getKeywordOperation = defineOperation({
  id: 'get-keyword',
  method: 'GET',
  path: '/v1/keywords/{id}',
  access: 'read',
  summary: 'Get a keyword',
  description: 'Returns one keyword with its statistics.',
  tag: 'Keywords',
  params: { id: idIn('kw') },
  status: 200,
  output: keyword,
  errors: [],
  tool: { name: 'get_keyword', title: 'Get a keyword', destructive: false, idempotent: true },
  run: (context, { params }) => getKeyword(context, params.id),
})
