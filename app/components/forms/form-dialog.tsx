'use client'

import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFrame, type FormFrameProps } from './form-frame.tsx'

type Props = Omit<FormFrameProps, 'onCancel' | 'readOnly'> & { title: ReactNode; onClose: () => void }

/** A form in a dialog. Mount it only while it is open, so that its fields start empty each time. */
export function FormDialog({ title, onClose, ...frame }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <FormFrame {...frame} onCancel={onClose} />
    </Modal>
  )
}
