import { z } from 'zod'
import { problemOfWords } from '../domain/filter/beginnings.ts'
import type { FieldForm } from '../domain/filter/field.ts'
import type { FilterValue } from '../domain/filter/fields.ts'
import { PERSON_LIMITS } from '../domain/person/person.ts'
import { parseAuthorEntry } from '../domain/post/author-entry.ts'
import { canParse } from '../kernel/can-parse.ts'
import { booleanIn, idIn, idOut, lineIn, listIn, numberIn, textOut, wholeIn } from './shapes.ts'

/** Longest entry of a list of people or hosts, in UTF-16 units. */
const ENTRY_MAX = 500

/** How values are written in one kind of place. */
export interface Notation {
  list(form: ListForm): z.ZodType<unknown[]>
  number(min: number, max: number): z.ZodType<number>
  whole(min: number, max: number): z.ZodType<number>
  boolean(): z.ZodType<boolean>
}

/** In JSON every value has its type: a text is no number, and a list is a list, whose entries may hold commas. */
export const IN_JSON: Notation = {
  list: jsonList,
  number: (min, max) => z.number().min(min).max(max),
  whole: (min, max) => z.int().min(min).max(max),
  boolean: () => z.boolean(),
}

/** In a query everything is text; tools send values. */
export const IN_QUERY: Notation = { list: queryList, number: numberIn, whole: wholeIn, boolean: booleanIn }

type ListForm = FieldForm & { form: 'list' }

/** Removing keywords and groups can leave a list of ids empty, and what is shown can be sent again. */
function jsonList(form: ListForm): z.ZodType<unknown[]> {
  return z
    .array(entryIn(form, IN_JSON))
    .min(form.of === 'id' ? 0 : 1)
    .max(form.max)
}

/** Names and tags hold commas too: only a single text is taken apart, so that what is given one by one stays whole. */
function queryList(form: ListForm): z.ZodType<unknown[]> {
  if (form.of !== 'author' && form.of !== 'tag') return listIn(entryIn(form, IN_QUERY), form.max)
  const parts = (text: string) => text.split(',').filter((part) => part.trim() !== '')
  return z.preprocess((value) => (typeof value === 'string' ? parts(value) : value), jsonList(form))
}

/** The shape of a value that callers send, in the given notation. */
export function valueIn(form: FieldForm, notation: Notation): z.ZodType<FilterValue> {
  switch (form.form) {
    case 'list': {
      const entries = notation.list(form).transform((values) => [...new Set(values)])
      return entries as unknown as z.ZodType<FilterValue>
    }
    case 'word':
      return z.enum(form.words as readonly [string, ...string[]])
    case 'number':
      return notation.number(form.min, form.max)
    case 'boolean':
      return notation.boolean()
    case 'words':
      return wordsIn(form.max)
  }
}

function entryIn(form: ListForm, notation: Notation): z.ZodType {
  switch (form.of) {
    case 'word':
      return z.enum(form.words as readonly [string, ...string[]])
    case 'id':
      return idIn(form.prefix)
    case 'language':
      return languageIn()
    case 'host':
      return hostIn()
    case 'author':
      return authorIn()
    case 'tag':
      return lineIn(1, PERSON_LIMITS.tag)
    case 'rating':
      return notation.whole(1, 5)
  }
}

function wordsIn(max: number) {
  return lineIn(1, max).superRefine((text, context) => {
    const problem = problemOfWords(text)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
}

function languageIn() {
  return z
    .string()
    .meta({ pattern: '^[A-Za-z]{2}$', minLength: 2, maxLength: 2 })
    .refine((code) => /^[a-z]{2}$/i.test(code), 'must be a language of ISO 639-1, such as en')
    .transform((code) => code.toLowerCase())
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/

/** A host name, also out of an address; as it stands in the links of posts. */
function hostIn() {
  return z
    .string()
    .meta({ minLength: 1, maxLength: ENTRY_MAX })
    .max(ENTRY_MAX)
    .transform((text, context): string => {
      const trimmed = text.trim().replace(/^\*\./, '')
      const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
      const host = canParse(address) ? new URL(address).hostname.toLowerCase().replace(/\.$/, '') : ''
      if (HOST_NAME.test(host)) return host
      context.addIssue({ code: 'custom', message: 'must be a host name, such as example.com' })
      return z.NEVER
    })
}

/** A person in the form under which posts name them. */
function authorIn() {
  return z
    .string()
    .meta({ minLength: 1, maxLength: ENTRY_MAX })
    .max(ENTRY_MAX)
    .transform((text, context): string => {
      const entry = parseAuthorEntry(text)
      if ('normal' in entry) return entry.normal
      const reason =
        'invalid' in entry
          ? entry.invalid
          : 'this link does not name its author; send the profile link, the @handle or the name'
      context.addIssue({ code: 'custom', message: reason })
      return z.NEVER
    })
}

/** The shape of a value as answers show it. */
export function valueOut(form: FieldForm): z.ZodType<FilterValue> {
  switch (form.form) {
    // Without a minimum: a list that lost its last keyword stays behind empty, and matches nothing.
    case 'list':
      return z.array(entryOut(form)).max(form.max) as unknown as z.ZodType<FilterValue>
    case 'word':
      return z.enum(form.words as readonly [string, ...string[]])
    case 'number':
      return z.number().min(form.min).max(form.max)
    case 'boolean':
      return z.boolean()
    case 'words':
      return textOut(form.max)
  }
}

function entryOut(form: ListForm): z.ZodType {
  switch (form.of) {
    case 'word':
      return z.enum(form.words as readonly [string, ...string[]])
    case 'id':
      return idOut(form.prefix)
    case 'language':
      return textOut(2)
    case 'host':
      return textOut(253)
    // The normal form of a link can be longer than what was sent.
    case 'author':
      return textOut(2 * ENTRY_MAX)
    case 'tag':
      return textOut(PERSON_LIMITS.tag)
    case 'rating':
      return z.int().min(1).max(5)
  }
}
