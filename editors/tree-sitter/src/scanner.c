// Lines and blocks: a line ends with `newline`, a deeper line begins a block with `indent`, and `dedent` ends it. Blank lines,
// comments, joined lines and line breaks inside brackets end nothing.

#include "tree_sitter/array.h"
#include "tree_sitter/parser.h"

enum Token { NEWLINE, INDENT, DEDENT, ERROR };

typedef struct {
    Array(uint16_t) columns;
} Scanner;

void *tree_sitter_wyrmgate_external_scanner_create(void) {
    Scanner *scanner = ts_calloc(1, sizeof(Scanner));
    array_init(&scanner->columns);
    return scanner;
}

void tree_sitter_wyrmgate_external_scanner_destroy(void *payload) {
    Scanner *scanner = payload;
    array_delete(&scanner->columns);
    ts_free(scanner);
}

unsigned tree_sitter_wyrmgate_external_scanner_serialize(void *payload, char *buffer) {
    Scanner *scanner = payload;
    unsigned size = 0;
    for (unsigned i = 0; i < scanner->columns.size && size + 2 <= TREE_SITTER_SERIALIZATION_BUFFER_SIZE; i++) {
        uint16_t column = *array_get(&scanner->columns, i);
        buffer[size++] = (char)(column & 255);
        buffer[size++] = (char)(column >> 8);
    }
    return size;
}

void tree_sitter_wyrmgate_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    Scanner *scanner = payload;
    array_clear(&scanner->columns);
    for (unsigned i = 0; i + 1 < length; i += 2) {
        array_push(&scanner->columns, (uint16_t)((uint8_t)buffer[i] | (uint8_t)buffer[i + 1] << 8));
    }
}

bool tree_sitter_wyrmgate_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    Scanner *scanner = payload;
    if (valid[ERROR] || !(valid[NEWLINE] || valid[INDENT] || valid[DEDENT])) return false;
    lexer->mark_end(lexer);
    bool ended = false;
    uint16_t column = 0;
    for (;;) {
        if (lexer->eof(lexer)) {
            ended = true;
            column = 0;
            break;
        }
        if (lexer->lookahead == '\n') {
            ended = true;
            column = 0;
        } else if (lexer->lookahead == ' ') {
            column++;
        } else if (lexer->lookahead == '#') {
            while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, true);
            continue;
        } else if (lexer->lookahead != '\r' && lexer->lookahead != '\t') {
            break;
        }
        lexer->advance(lexer, true);
    }
    if (!ended) return false;
    uint16_t now = scanner->columns.size > 0 ? *array_back(&scanner->columns) : 0;
    if (valid[INDENT] && column > now && !lexer->eof(lexer)) {
        array_push(&scanner->columns, column);
        lexer->result_symbol = INDENT;
        return true;
    }
    // The end of a line comes before the end of its block.
    if (valid[NEWLINE]) {
        lexer->result_symbol = NEWLINE;
        return true;
    }
    if (valid[DEDENT] && scanner->columns.size > 0 && column < now) {
        (void)array_pop(&scanner->columns);
        lexer->result_symbol = DEDENT;
        return true;
    }
    return false;
}
