/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_VM_RENDER_H
#define BL_VM_RENDER_H

#include "vm/machine.h"

/* How words are written in a place so that they stay words (vm/render_place.c). */

/* Places that are Markdown: names stand there as code spans. */
bool bl_place_is_markdown(enum bl_place place);
/* Places where people read in a language: days are written in its way. */
bool bl_place_is_spoken(enum bl_place place);

/* A name of GitHub (label, tag, branch, path, model): `name`, whatever it holds. */
void bl_put_name(struct bl_buf *out, bl_str name, enum bl_place place);
/* A login: a mention in a comment, else the login. */
void bl_put_login(struct bl_buf *out, bl_str login, enum bl_place place);
/* Own words. */
void bl_put_words(struct bl_buf *out, bl_str words, enum bl_place place);
/* An address; one that is none is a name. */
void bl_put_link(struct bl_buf *out, bl_str address, enum bl_place place);
/* A name that leads to an address, which may be empty. */
void bl_put_linked(struct bl_buf *out, bl_str name, bl_str address, enum bl_place place);

#endif
