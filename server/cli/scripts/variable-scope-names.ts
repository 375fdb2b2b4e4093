/** The platform's variable scopes, outermost first: `SCRIPT_SCOPES` of a room that the command line does not import. */
export const VARIABLE_SCOPES = ['o', 'w', 'p', 's']
