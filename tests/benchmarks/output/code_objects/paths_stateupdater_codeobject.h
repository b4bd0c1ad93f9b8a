#ifndef _INCLUDED_paths_stateupdater_codeobject
#define _INCLUDED_paths_stateupdater_codeobject

void _run_paths_stateupdater_codeobject();


#endif
