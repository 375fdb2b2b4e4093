'use client'

import { Modal, Text, TextInput, type TextInputProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormFrame } from './form-frame.tsx'

export type ConfirmationProps = {
  opened: boolean
  onClose: () => void
  title: string
  warning: ReactNode
  submitLabel: string
  /** The text that the member must type. Leave it out for what is easily created again. */
  confirmationText?: string
  mutation: { isPending: boolean; error: unknown }
  onConfirm: () => void
}

/** The dialog of `ConfirmRemoval`. */
export function Confirmation(props: ConfirmationProps) {
  const { confirmationText, mutation } = props
  const [text, setText] = useState('')
  const isReady = confirmationText === undefined || text.trim() === confirmationText
  const close = () => {
    setText('')
    props.onClose()
  }
  return (
    <Modal opened={props.opened} onClose={close} title={props.title} centered>
      <FormFrame
        submit={(event) => {
          event.preventDefault()
          if (isReady) props.onConfirm()
        }}
        isPending={mutation.isPending}
        error={mutation.error}
        intro={<Text size="sm">{props.warning}</Text>}
        submitLabel={props.submitLabel}
        submitButton={{ color: 'red', disabled: !isReady }}
        onCancel={close}
      >
        {confirmationText !== undefined && (
          <ConfirmationInput
            text={confirmationText}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </FormFrame>
    </Modal>
  )
}

/** The field into which the member types `text` to confirm. */
export function ConfirmationInput({ text, ...props }: { text: string } & Omit<TextInputProps, 'label'>) {
  return (
    <TextInput
      label={
        <>
          Type <strong>{text}</strong> to confirm
        </>
      }
      autoComplete="off"
      data-autofocus
      {...props}
    />
  )
}
