'use client'

import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useMemo, useRef, useState } from 'react'
import { SCRIPT_MAX, type Service } from '#server/schemas/services.ts'
import { mutation } from '../../../../client/api.ts'
import { notify } from '../../../../client/notify.ts'
import { problemOf } from '../../../../client/problem.ts'
import { ProblemAlert } from '../../../../components/problem-alert.tsx'
import type { ScriptEditorHandle } from '../../../../components/script-editor/script-editor.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import { EXAMPLE } from './example.ts'
import { problemsOf } from './script-problem.ts'
import { ScriptProblems } from './script-problems.tsx'

// Loaded on demand: the editor is the largest part of the dashboard, and only this page needs it.
const ScriptEditor = dynamic(
  () => import('../../../../components/script-editor/script-editor.tsx').then((module) => module.ScriptEditor),
  { ssr: false },
)

/** Edits and saves the script of a service. */
export function ScriptForm({ service, mayWrite }: { service: Service; mayWrite: boolean }) {
  const editor = useRef<ScriptEditorHandle>(null)
  // The saved version on which the draft is based.
  const [base, setBase] = useState({ script: service.script ?? '', version: service.version })
  const [draft, setDraft] = useState(base.script)
  const save = useMutation({
    ...mutation('services.saveScript'),
    onSuccess: (saved, { version }) => {
      setBase({ script: saved.script ?? '', version: saved.version })
      notify({ color: 'teal', message: savedText(saved, version === 1) })
    },
  })
  const isDirty = draft !== base.script
  const isOutdated = service.version > base.version
  // Without unsaved changes, follow a version that someone else saved.
  if (isOutdated && !isDirty && !save.isPending) {
    setBase({ script: service.script ?? '', version: service.version })
    setDraft(service.script ?? '')
  }
  const problem = save.error ? problemOf(save.error) : null
  const problems = useMemo(() => problemsOf(save.error), [save.error])
  const isConflict = isOutdated && (isDirty || problem?.code === 'version_conflict')
  const submit = (version = base.version) => {
    if (mayWrite && !save.isPending) save.mutate({ id: service.id, script: draft, version })
  }

  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {service.script === null ? 'No script saved yet.' : `Version ${base.version}.`}
          {isDirty && ' You have unsaved changes.'}
        </Text>
        {mayWrite && (
          <Group gap="xs">
            <Anchor href="/docs/language" target="_blank" size="sm" mr="xs">
              Script language
            </Anchor>
            {draft === '' && (
              <Button variant="default" onClick={() => setDraft(EXAMPLE)}>
                Insert an example
              </Button>
            )}
            {isDirty && (
              <Button
                variant="default"
                onClick={() => {
                  setDraft(base.script)
                  save.reset()
                }}
              >
                Discard changes
              </Button>
            )}
            <Button
              leftSection={<Save size={15} aria-hidden />}
              loading={save.isPending}
              disabled={!isDirty || draft.length > SCRIPT_MAX}
              onClick={() => submit()}
            >
              Save script
            </Button>
          </Group>
        )}
      </Group>
      {isConflict && (
        <ConflictNotice
          latest={service}
          isPending={save.isPending}
          onUseLatest={() => {
            save.reset()
            setBase({ script: service.script ?? '', version: service.version })
            setDraft(service.script ?? '')
          }}
          onOverwrite={submit}
        />
      )}
      {problems.length > 0 ? (
        <ScriptProblems problems={problems} onShow={(mark) => editor.current?.show(mark)} />
      ) : (
        !isConflict && <ProblemAlert error={save.error} />
      )}
      <ScriptEditor
        ref={editor}
        value={draft}
        onChange={setDraft}
        onSave={() => isDirty && submit()}
        marks={problems}
        readOnly={!mayWrite}
      />
      {draft.length > SCRIPT_MAX && (
        <Text size="sm" c="red">
          A script may have at most {SCRIPT_MAX.toLocaleString('en')} characters. This one has{' '}
          {draft.length.toLocaleString('en')}.
        </Text>
      )}
    </Stack>
  )
}

/** The first save switches the service on, unless the script cannot run yet. */
function savedText({ version, isActive }: Service, isFirst: boolean): string {
  const text = `Saved as version ${version}.`
  if (!isFirst) return text
  return isActive
    ? `${text} The service is now switched on.`
    : `${text} The service is still switched off. Switch it on to see why it cannot run.`
}
