import { EditorView } from '@codemirror/view'

/** The editor with the colours and fonts of the dashboard. */
export const editorTheme = EditorView.theme({
  '&': {
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-md)',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    fontSize: '13.5px',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '1px' },
  '.cm-scroller': {
    minHeight: '320px',
    maxHeight: '65vh',
    borderRadius: 'var(--mantine-radius-md)',
    fontFamily: 'var(--mantine-font-family-monospace)',
    lineHeight: '1.6',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    border: 'none',
    color: 'var(--mantine-color-dimmed)',
    backgroundColor: 'var(--mantine-color-default-hover)',
  },
  '.cm-activeLine': { backgroundColor: 'light-dark(#0063710d, #6cc8d60d)' },
  '.cm-activeLineGutter': { backgroundColor: 'light-dark(#0063711a, #6cc8d61a)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#a6d2da, #1d4f58) !important',
  },
  '.cm-matchingBracket': { backgroundColor: 'light-dark(#a6d2da80, #1d4f58)' },
  '.cm-tooltip, .cm-panels': {
    border: '1px solid var(--mantine-color-default-border)',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
  },
  '.cm-diagnostic': { padding: '6px 10px', whiteSpace: 'pre-wrap', maxWidth: '60ch' },
})
