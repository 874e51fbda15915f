/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORKFLOWS_YAML_H
#define BL_WORKFLOWS_YAML_H

#include "base/buf.h"

/* The part of YAML that workflows are written in: block mappings and sequences, and scalars
 * that are read as the text that they were given as, by YAML 1.1 and 1.2 alike. */

/* So many blanks. */
void bl_yaml_indent(struct bl_buf *out, unsigned columns);
/* A scalar on one line: as it stands when every reader takes it for a text, else in quotes. */
void bl_yaml_text(struct bl_buf *out, bl_str text);
/* A scalar over lines, indented by `columns`, behind "key:": a literal block when its lines
 * allow it, else as bl_yaml_text. Begins with the blank behind the colon and ends with a line
 * end. */
void bl_yaml_lines(struct bl_buf *out, unsigned columns, bl_str text);
/* A text in quotes that goes on in a new line, indented by `columns`, where BL_YAML_BREAK
 * stands in it; readers join the lines with a blank. None may begin or end with one. Ends with
 * a line end. */
#define BL_YAML_BREAK "\xff" /* no byte of UTF-8 */
void bl_yaml_folded(struct bl_buf *out, unsigned columns, bl_str text);

#endif
