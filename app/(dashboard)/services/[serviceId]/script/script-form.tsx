'use client'

import { Alert, Grid, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useEffect, useMemo, useRef, useState } from 'react'
import { SCRIPT_MAX } from '#server/schemas/scripts/limits.ts'
import type { Service } from '#server/schemas/services.ts'
import { useUrlState } from '../../../../client/addresses/url-state.ts'
import { comparedVersions } from '../../../../client/addresses/versions-href.ts'
import { mutation } from '../../../../client/api.ts'
import { useMe } from '../../../../client/me.tsx'
import { notify } from '../../../../client/notify.ts'
import { problemOf } from '../../../../client/problem.ts'
import { onSessionEnded } from '../../../../client/session/session-ended.ts'
import { useDraftRun } from '../../../../components/drafts/use-draft-run.ts'
import { Instant } from '../../../../components/instant.tsx'
import { ProblemAlert } from '../../../../components/problem-alert.tsx'
import type { VariableName } from '../../../../components/script-editor/completion.ts'
import { LazyScriptEditor } from '../../../../components/script-editor/lazy-script-editor.tsx'
import type { ScriptEditorHandle } from '../../../../components/script-editor/script-editor.tsx'
import { EXAMPLE } from './example.ts'
import { problemsOf, type ScriptProblem } from './script-problem.ts'
import { ScriptProblems } from './script-problems.tsx'
import { ScriptToolbar } from './script-toolbar.tsx'
import { useScriptDraft } from './use-script-draft.ts'

// Loaded on demand: most visits need none of them.
const BuilderPanel = dynamic(() => import('./builder-panel.tsx').then((module) => module.BuilderPanel))
const ConflictNotice = dynamic(() => import('./conflict-notice.tsx').then((module) => module.ConflictNotice))
const DraftPanel = dynamic(() => import('./draft-panel.tsx').then((module) => module.DraftPanel))
const ImportDialog = dynamic(() => import('./import-dialog.tsx').then((module) => module.ImportDialog))
const SessionDialog = dynamic(() => import('./session-dialog.tsx').then((module) => module.SessionDialog))
const VersionsDialog = dynamic(() => import('./versions-dialog.tsx').then((module) => module.VersionsDialog))

const NO_MARKS: ScriptProblem[] = []

type Props = { service: Service; variables: VariableName[] | null; mayWrite: boolean }

/** Edits, tries and saves the script of a service. */
export function ScriptForm({ service, variables, mayWrite }: Props) {
  const me = useMe()
  const editor = useRef<ScriptEditorHandle>(null)
  const { base, text, isDirty, isOutdated, restoredAt, edit, rebase } = useScriptDraft(service)
  const [dialog, setDialog] = useState<'import' | 'session' | 'versions' | null>(null)
  const [params, changeUrl] = useUrlState()
  const compared = comparedVersions(params.get('compare'))
  const [view, setView] = useState<'script' | 'builder'>('script')
  const run = useDraftRun(service.id)
  const save = useMutation({
    ...mutation('services.saveScript'),
    onSuccess: (saved, { version, script }) => {
      // What was typed meanwhile stays.
      rebase(baseOf(saved), text === script ? undefined : text)
      void notify({ color: 'teal', message: savedText(saved, version === 1) })
    },
  })
  // Without unsaved changes, follow a version that someone else saved.
  if (isOutdated && !isDirty && !save.isPending) rebase(baseOf(service))
  const problem = save.error ? problemOf(save.error) : null
  // They describe the text that was sent. What is typed since is validated in the browser.
  const unsaved = useMemo(() => problemsOf(save.error), [save.error])
  const notRun = useMemo(() => problemsOf(run.error), [run.error])
  const isUnsavedText = text === save.variables?.script
  const isRunText = text === run.text
  const marks = isUnsavedText && unsaved.length > 0 ? unsaved : isRunText ? notRun : NO_MARKS
  const isConflict = isOutdated && (isDirty || problem?.code === 'version_conflict')
  const isTooLong = text.length > SCRIPT_MAX
  const submit = (version = base.version) => {
    if (mayWrite && !isTooLong && !save.isPending) save.mutate({ id: service.id, script: text, version })
  }
  const closeVersions = () => {
    setDialog(null)
    if (compared) changeUrl({ compare: null })
  }
  useSignInInPlace(isDirty, () => setDialog('session'))
  const resume = () => {
    setDialog(null)
    if (problem?.code === 'session_required') submit()
  }

  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {service.script === null ? 'No script saved yet.' : `Version ${base.version}.`}
          {isDirty && restoredAt === null && ' You have unsaved changes.'}
          {restoredAt !== null && (
            <>
              {' '}
              Unsaved changes from <Instant at={restoredAt} />.
            </>
          )}
        </Text>
        <ScriptToolbar
          mayWrite={mayWrite}
          isEmpty={text === ''}
          isDirty={isDirty}
          isTooLong={isTooLong}
          isSaving={save.isPending}
          isRunning={run.isPending}
          onExample={() => edit(EXAMPLE)}
          onImport={() => setDialog('import')}
          onVersions={() => setDialog('versions')}
          onDiscard={() => {
            rebase(baseOf(service))
            save.reset()
          }}
          onRun={() => run.start(text)}
          onSave={() => submit()}
        />
      </Group>
      {isConflict && (
        <ConflictNotice
          latest={service}
          base={base}
          text={text}
          isPending={save.isPending}
          onUseLatest={() => {
            save.reset()
            rebase(baseOf(service))
          }}
          onUseMerged={(merged) => {
            save.reset()
            rebase(baseOf(service), merged)
          }}
          onOverwrite={submit}
        />
      )}
      {unsaved.length > 0
        ? isUnsavedText && (
            <ScriptProblems title="Not saved" problems={unsaved} onShow={(mark) => editor.current?.show(mark)} />
          )
        : !isConflict && problem?.code !== 'session_required' && <ProblemAlert error={save.error} />}
      {notRun.length > 0 ? (
        isRunText && <ScriptProblems title="Not run" problems={notRun} onShow={(mark) => editor.current?.show(mark)} />
      ) : (
        <ProblemAlert error={run.error} />
      )}
      {mayWrite && text !== '' && (
        <Group>
          <SegmentedControl
            size="xs"
            aria-label="Edit the script as"
            data={[
              { value: 'script', label: 'Script' },
              { value: 'builder', label: 'Builder' },
            ]}
            value={view}
            onChange={(next) => setView(next as 'script' | 'builder')}
          />
        </Group>
      )}
      {view === 'builder' && mayWrite && (
        <BuilderPanel service={service} text={text} variables={variables} onChange={edit} />
      )}
      <Grid display={view === 'builder' && mayWrite ? 'none' : undefined}>
        <Grid.Col span={{ base: 12, lg: run.isOpen ? 6 : 12 }}>
          <LazyScriptEditor
            ref={editor}
            value={text}
            onChange={edit}
            onSave={() => isDirty && submit()}
            marks={marks}
            variables={variables}
            readOnly={!mayWrite}
          />
          {isTooLong && (
            <Alert color="red" variant="light" mt="xs">
              A script may have at most {SCRIPT_MAX.toLocaleString('en')} characters. This one has{' '}
              {text.length.toLocaleString('en')}.
            </Alert>
          )}
        </Grid.Col>
        {run.isOpen && (
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <DraftPanel draft={run.draft} onClose={run.close} />
          </Grid.Col>
        )}
      </Grid>
      {dialog === 'import' && (
        <ImportDialog
          onClose={() => setDialog(null)}
          onInsert={(script) => {
            edit(text === '' ? script : `${text.trimEnd()}\n\n${script}`)
            setDialog(null)
          }}
        />
      )}
      {(dialog === 'versions' || compared) && (
        <VersionsDialog
          key={params.get('compare')}
          service={service}
          text={text}
          mayWrite={mayWrite}
          compared={compared}
          onClose={closeVersions}
          onRestored={(saved) => {
            // Unsaved changes stay in the editor, as after a save of another member.
            if (!isDirty) rebase(baseOf(saved))
            closeVersions()
            void notify({ color: 'teal', message: `Saved as version ${saved.version}.` })
          }}
        />
      )}
      {dialog === 'session' && <SessionDialog me={me} onDone={resume} onClose={() => setDialog(null)} />}
    </Stack>
  )
}

/** While there are unsaved changes, an ended session asks for a sign-in over the page instead of leaving it. */
function useSignInInPlace(isDirty: boolean, ask: () => void): void {
  const latest = useRef({ isDirty, ask })
  latest.current = { isDirty, ask }
  useEffect(
    () =>
      onSessionEnded(() => {
        if (latest.current.isDirty) latest.current.ask()
        return latest.current.isDirty
      }),
    [],
  )
}

function baseOf({ script, version }: Service) {
  return { script: script ?? '', version }
}

/** The first save switches the service on, unless the script cannot run yet. */
function savedText({ version, isActive }: Service, isFirst: boolean): string {
  const text = `Saved as version ${version}.`
  if (!isFirst) return text
  return isActive
    ? `${text} The service is now switched on.`
    : `${text} The service is still switched off. Switch it on to see why it cannot run.`
}
