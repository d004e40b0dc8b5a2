import { clsx } from 'clsx'
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useId,
  useState,
} from 'react'
import { Chip } from './chip.tsx'
import styles from './field.module.css'
import { words } from './words.ts'

interface FieldWiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

const FieldContext = createContext<FieldWiring | null>(null)

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
  /** One control of this file. */
  children: ReactNode
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  const wiring: FieldWiring = {
    id,
    'aria-describedby': clsx(hintId, errorId) || undefined,
    'aria-invalid': error ? true : undefined,
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <FieldContext value={wiring}>{children}</FieldContext>
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
      {hint && (
        <div id={hintId} className={styles.hint}>
          {hint}
        </div>
      )}
    </div>
  )
}

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...useContext(FieldContext)} {...rest} className={clsx(styles.control, className)} />
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={3}
      {...useContext(FieldContext)}
      {...rest}
      className={clsx(styles.control, styles.area, className)}
    />
  )
}

interface Option {
  value: string
  label: string
  disabled?: boolean | undefined
}

interface NativeSelectProps extends Omit<ComponentProps<'select'>, 'children'> {
  options: readonly Option[]
}

export function NativeSelect({ options, className, ...rest }: NativeSelectProps) {
  return (
    <select {...useContext(FieldContext)} {...rest} className={clsx(styles.control, styles.select, className)}>
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

interface TickProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode
  hint?: ReactNode
}

export function Checkbox({ label, hint, className, ...rest }: TickProps) {
  const hintId = useId()
  return (
    <label className={clsx(styles.tick, className)}>
      <input {...rest} type="checkbox" className={styles.box} aria-describedby={hint ? hintId : undefined} />
      <TickText label={label} hint={hint} hintId={hintId} />
    </label>
  )
}

/** A setting that takes effect at once. */
export function Switch({ label, hint, className, ...rest }: TickProps) {
  const hintId = useId()
  return (
    <label className={clsx(styles.tick, className)}>
      <input
        {...rest}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a check box tells its state itself
        role="switch"
        className={styles.switch}
        aria-describedby={hint ? hintId : undefined}
      />
      <TickText label={label} hint={hint} hintId={hintId} />
    </label>
  )
}

function TickText({ label, hint, hintId }: { label: ReactNode; hint: ReactNode; hintId: string }) {
  return (
    <span className={styles.tickText}>
      {label}
      {hint && (
        <span id={hintId} className={styles.hint}>
          {hint}
        </span>
      )}
    </span>
  )
}

interface RadioCardsProps<Value extends string> {
  options: readonly { value: Value; label: string; hint?: ReactNode; disabled?: boolean | undefined }[]
  value: Value | null
  onChange: (value: Value) => void
  legend: string
}

export function RadioCards<Value extends string>({ options, value, onChange, legend }: RadioCardsProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.cards}>
      <legend className={styles.label}>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.card}>
          <input
            type="radio"
            name={name}
            className={styles.box}
            checked={option.value === value}
            disabled={option.disabled}
            aria-describedby={option.hint ? `${name}-${option.value}` : undefined}
            onChange={() => onChange(option.value)}
          />
          <TickText label={option.label} hint={option.hint} hintId={`${name}-${option.value}`} />
        </label>
      ))}
    </fieldset>
  )
}

interface TagInputProps {
  values: readonly string[]
  onChange: (values: string[]) => void
  label: string
  placeholder?: string | undefined
  disabled?: boolean | undefined
}

/** Words as chips: Enter, a comma or leaving the field adds, Backspace in the empty field removes the last. */
export function TagInput(props: TagInputProps) {
  const field = useContext(FieldContext)
  if (field) return <TagBox {...props} />
  return (
    <Field label={props.label}>
      <TagBox {...props} />
    </Field>
  )
}

function TagBox({ values, onChange, label, placeholder, disabled }: TagInputProps) {
  const field = useContext(FieldContext)
  const [text, setText] = useState('')
  const add = (typed: string): void => {
    setText('')
    const added = addTags(values, typed)
    if (added.length > values.length) onChange(added)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault()
      add(text)
    }
    if (event.key === 'Backspace' && text === '' && values.length > 0) onChange(values.slice(0, -1))
  }
  return (
    <div className={clsx(styles.control, styles.tags)}>
      <TagList values={values} label={label} onRemove={disabled ? undefined : onChange} />
      <input
        {...field}
        className={styles.tagText}
        value={text}
        placeholder={placeholder}
        disabled={disabled}
        onChange={(event) => (event.target.value.includes(',') ? add(event.target.value) : setText(event.target.value))}
        onKeyDown={press}
        onBlur={() => add(text)}
      />
    </div>
  )
}

interface TagListProps {
  values: readonly string[]
  label: string
  onRemove: ((left: string[]) => void) | undefined
}

function TagList({ values, label, onRemove }: TagListProps) {
  if (values.length === 0) return null
  return (
    <ul className={styles.tagList} aria-label={label}>
      {values.map((value) => (
        <li key={value} className={styles.tag}>
          <Chip
            removeLabel={words.remove(value)}
            onRemove={onRemove && (() => onRemove(values.filter((kept) => kept !== value)))}
          >
            <bdi>{value}</bdi>
          </Chip>
        </li>
      ))}
    </ul>
  )
}

/** The tags with those of a typed or pasted text, apart by commas or lines; each is kept once. */
export function addTags(values: readonly string[], typed: string): string[] {
  const added = typed.split(/[,\n]/).map((part) => part.trim())
  return [...new Set([...values, ...added.filter((part) => part !== '')])]
}
