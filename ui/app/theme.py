"""The theme of all pages: Gradio's own look in the colours of `ui/components/static/base.css`."""

import inspect

import gradio as gr

COLORS = {
    "bg": "body_background_fill background_fill_secondary",
    "surface": "background_fill_primary block_background_fill panel_background_fill input_background_fill "
    "checkbox_background_color checkbox_background_color_hover checkbox_label_background_fill "
    "table_odd_background_fill button_secondary_background_fill",
    "sunken": "table_even_background_fill button_secondary_background_fill_hover code_background_fill "
    "checkbox_label_background_fill_hover block_label_background_fill stat_background_fill",
    "text": "body_text_color block_title_text_color block_label_text_color table_text_color "
    "accordion_text_color checkbox_label_text_color checkbox_label_text_color_selected "
    "button_secondary_text_color",
    "muted": "body_text_color_subdued block_info_text_color input_placeholder_color input_border_color "
    "checkbox_border_color",
    "line": "border_color_primary block_border_color panel_border_color table_border_color "
    "block_label_border_color checkbox_label_border_color button_secondary_border_color",
    "accent": "color_accent border_color_accent input_border_color_focus loader_color slider_color "
    "checkbox_background_color_selected checkbox_border_color_selected checkbox_border_color_focus "
    "checkbox_label_border_color_hover checkbox_label_border_color_selected "
    "button_primary_background_fill button_primary_background_fill_hover button_primary_border_color "
    "button_secondary_border_color_hover link_text_color link_text_color_active link_text_color_hover "
    "link_text_color_visited",
    "on-accent": "button_primary_text_color button_primary_text_color_hover",
    "accent-soft": "color_accent_soft table_row_focus checkbox_label_background_fill_selected",
    "bad-soft": "error_background_fill button_cancel_background_fill button_cancel_background_fill_hover",
    "bad-text": "error_text_color error_border_color button_cancel_text_color button_cancel_border_color",
}
"""Colour token of base.css, which differs in light and dark mode -> the Gradio theme variables set to it."""
SHAPES = {
    "1px": "input_border_width checkbox_label_border_width button_border_width",
    "600": "block_title_text_weight section_header_text_weight",
    "8px": "block_radius input_radius table_radius container_radius button_large_radius button_medium_radius "
    "button_small_radius",
    "15px": "button_large_text_size button_medium_text_size",
    "9px 14px": "button_large_padding button_medium_padding",
}
"""Length or font weight -> the Gradio theme variables set to it."""


def theme() -> gr.themes.Base:
    """Gradio's base theme with system fonts, so that no font is fetched."""
    made = gr.themes.Base(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])
    known = inspect.signature(made.set).parameters
    values = {name: value for value, names in SHAPES.items() for name in names.split()}
    for token, names in COLORS.items():
        for name in names.split():
            values |= {one: f"var(--cn-{token})" for one in (name, f"{name}_dark") if one in known}
    return made.set(**values)
