import type { ComponentProps } from 'react'
import styles from './form.module.css'

/** Fields under each other. Buttons keep their own width. */
export function Form(props: Omit<ComponentProps<'form'>, 'className'>) {
  return <form {...props} className={styles.form} />
}
