import { EditorView } from '@codemirror/view'

const CONTROL = {
  padding: 'var(--space-1) var(--space-2)',
  border: '1px solid var(--line-strong)',
  borderRadius: 'var(--radius)',
  color: 'var(--text)',
  background: 'var(--raised)',
  font: 'inherit',
  fontSize: 'var(--font-code)',
}

/** The list of completions and the help of a name under the pointer. */
const POPUPS = {
  '.cm-tooltip': {
    overflow: 'hidden',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    color: 'var(--text)',
    backgroundColor: 'var(--popover)',
    boxShadow: 'var(--shadow-popover)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    padding: 'var(--space-1)',
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--font-code)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: 'var(--space-1) var(--space-2)',
    borderRadius: 'var(--radius)',
    lineHeight: '1.4',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--accent-text)',
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-completionDetail': { color: 'var(--text-quiet)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { fontWeight: 'var(--weight-strong)', textDecoration: 'none' },
  '.cm-tooltip.cm-completionInfo': { padding: 'var(--space-2) var(--space-3)' },
  '.cm-diagnostic': {
    margin: '0',
    padding: 'var(--space-2) var(--space-3)',
    fontFamily: 'var(--font)',
    fontSize: 'var(--font-sm)',
    whiteSpace: 'pre-wrap',
    maxWidth: '60ch',
  },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--failing)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--degraded)' },
}

/** The search and the list of problems. */
const PANELS = {
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--panel)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: 'var(--space-2)',
    alignItems: 'center',
    padding: 'var(--space-3) var(--space-8) var(--space-3) var(--space-3)',
    fontFamily: 'var(--font)',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', content: '""' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { margin: '0' },
  '.cm-textfield': CONTROL,
  '.cm-panel.cm-search input[type=text]': { flex: '1 1 180px', maxWidth: '320px' },
  '.cm-button': { ...CONTROL, cursor: 'pointer' },
  '.cm-button:hover': { background: 'var(--hover)' },
  '.cm-button:active': { background: 'var(--accent-soft)' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    gap: 'var(--space-1)',
    alignItems: 'center',
    color: 'var(--text-quiet)',
    fontSize: 'var(--font-xs)',
  },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', accentColor: 'var(--accent)' },
  '.cm-panel.cm-search [name=close], .cm-panel.cm-panel-lint [name=close]': {
    top: 'var(--space-2)',
    right: 'var(--space-2)',
    width: '24px',
    height: '24px',
    borderRadius: 'var(--radius)',
    color: 'var(--text-quiet)',
    fontSize: 'var(--font-lg)',
  },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { color: 'var(--text)', backgroundColor: 'var(--accent-soft)' },
  '.cm-searchMatch, .cm-selectionMatch': { backgroundColor: 'var(--code-match)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--focus)', backgroundColor: 'var(--code-match)' },
}

/** The editor, its popups, panels and search, with the tokens of the dashboard. */
export const editorTheme = EditorView.theme({
  '&': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    color: 'var(--text)',
    backgroundColor: 'var(--panel)',
    fontSize: 'var(--font-code)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.cm-scroller': {
    minHeight: '320px',
    maxHeight: '65vh',
    borderRadius: 'var(--radius)',
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.6',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  // The frame shows the focus.
  '.cm-content.cm-content:focus-visible': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    border: 'none',
    color: 'var(--text-quiet)',
    backgroundColor: 'var(--panel)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 6%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--text)', backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--code-selection) !important',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--code-selection)' },
  ...POPUPS,
  ...PANELS,
})
